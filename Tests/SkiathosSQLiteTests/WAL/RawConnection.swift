import Foundation
import GRDBSQLite
import Testing

/// A connection of SQLite itself.
class RawConnection {
    /// A failed statement.
    struct Failure: Error {
        let code: Int32
        let message: String
    }

    let handle: OpaquePointer

    init(_ path: String) throws {
        var handle: OpaquePointer?
        let code = sqlite3_open(path, &handle)
        guard code == SQLITE_OK, let handle else { throw Failure(code: code, message: path) }
        self.handle = handle
    }

    func close() { sqlite3_close_v2(handle) }

    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    func run(_ sql: String) throws { _ = try query(sql) }

    /// The first two columns of all rows.
    func query(_ sql: String) throws -> [(String, String)] {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
        defer { sqlite3_finalize(statement) }
        var rows: [(String, String)] = []
        var code = sqlite3_step(statement)
        while code == SQLITE_ROW {
            rows.append((text(statement, 0), text(statement, 1)))
            code = sqlite3_step(statement)
        }
        if code != SQLITE_DONE { try check(code) }
        return rows
    }

    func rows() throws -> [Int: String] {
        var rows: [Int: String] = [:]
        for (id, text) in try query("SELECT id, text FROM item") {
            rows[try #require(Int(id))] = text
        }
        return rows
    }

    /// The rows of a store that the process leaves if it ends now, which are sound.
    static func rows(ofCopy path: String) throws -> [Int: String] {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let copy = directory.file()
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
        }
        let reader = try RawConnection(copy)
        defer { reader.close() }
        #expect(try reader.query("PRAGMA integrity_check").first?.0 == "ok")
        return try reader.rows()
    }

    private func text(_ statement: OpaquePointer?, _ column: Int32) -> String {
        sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
    }

    private func check(_ code: Int32) throws {
        guard code != SQLITE_OK else { return }
        throw Failure(code: code, message: String(cString: sqlite3_errmsg(handle)))
    }
}
