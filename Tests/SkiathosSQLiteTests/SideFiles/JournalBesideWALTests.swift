import Foundation
import GRDB
import SkiathosStore
import TestSupport
import Testing

@testable import SkiathosSQLite

/// A rollback journal beside a WAL: a loss of power has kept the name of the one, though it was removed
/// before the other was made.
@Suite struct JournalBesideWALTests {
    private let directory: TemporaryDirectory
    private var journal: String { directory.file() + "-journal" }

    init() throws { directory = try TemporaryDirectory() }

    /// The journals of a change of the closed file, at any time of which power may be lost.
    private func journal(of sql: String) throws -> Data {
        let copy = directory.file("copy")
        try directory.write(directory.bytes(), "copy")
        var configuration = GRDB.Configuration()
        configuration.allowsUnsafeTransactions = true
        let queue = try DatabaseQueue(path: copy, configuration: configuration)
        let content = try queue.inDatabase { database in
            try database.execute(sql: "PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF")
            try database.execute(sql: "BEGIN IMMEDIATE; \(sql)")
            defer { try? database.execute(sql: "ROLLBACK") }
            return try directory.bytes("copy-journal")
        }
        try queue.close()
        return content
    }

    /// A store that was not closed: its main file, and a WAL with a row.
    private func leaveWAL() throws {
        let store = try directory.open()
        try store.insert(User.self, user(1))
        let main = try directory.bytes()
        let wal = try directory.bytes("store.sqlite-wal")
        try store.close()
        try directory.write(main)
        try directory.write(wal, "store.sqlite-wal")
    }

    private static let changes = [
        "PRAGMA user_version = 7", "DELETE FROM skiathos_layout", "CREATE TABLE other (a)",
    ]

    @Test(arguments: changes, [true, false])
    func `a store with both is opened with all that was committed`(
        _ change: String, _ isTorn: Bool
    ) throws {
        try directory.open().close()
        let content = try journal(of: change)
        try leaveWAL()
        try directory.write(
            isTorn ? content.prefix(content.count / 2) : content, "store.sqlite-journal")
        for _ in 1...2 {
            let store = try directory.open()
            #expect(try store.all(User.self) == [user(1)])
            #expect(try store.anyReader.read { try $0.integrityProblems() } == [])
            try store.close()
            #expect(!FileManager.default.fileExists(atPath: journal))
        }
    }

    @Test func `a journal that was never written stays beside the WAL and does no harm`() throws {
        try directory.open().close()
        try leaveWAL()
        try directory.write(Data(count: 512), "store.sqlite-journal")
        let store = try directory.open()
        #expect(try store.all(User.self) == [user(1)])
        try store.close()
    }

    @Test func `a journal that makes the file unsound leads to an error, again and again`() throws {
        var store = try directory.open()
        for id in 1...60 as ClosedRange<Int64> {
            try store.insert(User.self, user(id, String(repeating: "a", count: 500)))
        }
        try store.close()
        let content = try journal(of: "DELETE FROM user")
        store = try directory.open()
        try store.transaction { session in
            _ = try session.delete(FetchRequest(entity: store.position(User.self)))
        }
        for id in 1...200 as ClosedRange<Int64> {
            let name = String(repeating: "b", count: 300) + "\(id)"
            try store.insert(Company.self, [.integer(id), .text(name)])
        }
        try store.close()
        try leaveWAL()
        // Old pages of users, where the file has pages of companies by now: all but the first, which says
        // where the tables begin. A header of 512 bytes, and the number, content and checksum of each page.
        var stale = Data(content.prefix(512))
        for start in stride(from: 512, to: content.count, by: 4 + 4096 + 4) {
            let record = content[start..<min(content.count, start + 4 + 4096 + 4)]
            if record.prefix(4) != Data([0, 0, 0, 1]) { stale += record }
        }
        try directory.write(stale, "store.sqlite-journal")
        for _ in 1...2 {
            _ = try storeError(.damaged) { try directory.open().close() }
        }
    }

    @Test func `opening read-only says that the journal has to be rolled back first`() throws {
        try directory.open().close()
        let content = try journal(of: "PRAGMA user_version = 7")
        for hasWAL in [false, true] {
            if hasWAL { try leaveWAL() }
            try directory.write(content, "store.sqlite-journal")
            var options = StoreOptions()
            options.isReadOnly = true
            let error = try storeError(.readOnly) {
                _ = try directory.open(TestEntities.all, options)
            }
            #expect(error.message.contains("Open it for writing once"))
            try directory.open().close()
            try directory.open(TestEntities.all, options).close()
        }
    }

    @Test func `a store that is refused keeps its WAL`() throws {
        try directory.open().close()
        let content = try journal(of: "PRAGMA user_version = 7")
        try leaveWAL()
        try directory.write(content, "store.sqlite-journal")
        let wal = try directory.bytes("store.sqlite-wal")
        #expect(throws: StoreError.self) {
            _ = try directory.open(Array(TestEntities.all.prefix(1)))
        }
        #expect(try directory.bytes("store.sqlite-wal") == wal)
    }
}
