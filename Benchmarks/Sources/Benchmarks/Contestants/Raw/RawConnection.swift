import GRDBSQLite

/// A connection and the statements that were prepared on it.
final class RawConnection {
    // All guarded by the holder of the connection.
    private let handle: OpaquePointer
    private var statements: [OpaquePointer] = []

    init(path: String, cacheSize: Int?) throws {
        var handle: OpaquePointer?
        // One thread uses the connection, as with the others: a lock in each call would be a
        // handicap of a fifth and more.
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK, let handle else {
            throw BenchmarkError("sqlite3_open_v2 failed")
        }
        self.handle = handle
        sqlite3_busy_timeout(handle, 10_000)
        try run("PRAGMA foreign_keys = ON")
        try run("PRAGMA journal_mode = WAL")
        try run("PRAGMA synchronous = NORMAL")
        // Negative sizes are in KiB (sqlite.org/pragma.html#pragma_cache_size).
        if let cacheSize { try run("PRAGMA cache_size = -\(cacheSize / 1024)") }
    }

    func run(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
            throw BenchmarkError(String(cString: sqlite3_errmsg(handle)))
        }
    }

    func prepare(_ sql: String) throws -> RawStatement {
        var statement: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        guard sqlite3_prepare_v3(handle, sql, -1, flags, &statement, nil) == SQLITE_OK,
            let statement
        else { throw BenchmarkError(String(cString: sqlite3_errmsg(handle))) }
        statements.append(statement)
        return RawStatement(pointer: statement)
    }

    func close() {
        for statement in statements { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
    }
}
