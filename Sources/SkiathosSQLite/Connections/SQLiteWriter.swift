import SkiathosStore

/// The writing connection; for a store in memory also the reading one.
final class SQLiteWriter: StoreWriter {
    private let connection: SQLiteConnection
    /// Nil for a store in memory, or a read-only one.
    private let barrier: WALSync?

    init(_ connection: SQLiteConnection, _ barrier: WALSync? = nil) {
        self.connection = connection
        self.barrier = barrier
    }

    /// The failure after which the disk may hold less than SQLite assumes.
    var failure: StoreError? { barrier?.failure }

    func read(_ body: (any StoreSession) throws -> Void) throws {
        try connection.access { session in
            session.keptRead.end()
            try session.withSnapshot { try body(session) }
        }
    }

    func withSession(_ body: (any StoreWriteSession) throws -> Void) throws {
        try connection.access { session in try body(session) }
    }

    /// Runs a closure with exclusive use of the connection's SQLite session.
    func access<R>(_ body: (SQLiteSession) throws -> R) throws -> R {
        try connection.access { session in
            session.keptRead.end()
            return try body(session)
        }
    }

    /// Ends the read that is kept for the next transaction, unless there was a commit since the last
    /// call.
    ///
    /// Returns whether none is kept.
    func endKeptReadIfUnused() -> Bool {
        var isUnused = false
        let wasFree = try? connection.accessIfFree { isUnused = $0.keptRead.endIfUnused() }
        // A connection that is closed keeps none.
        return isUnused || wasFree == nil
    }

    func prepareSync() { barrier?.prepare() }
    func sync() throws { try barrier?.sync() }

    func interrupt() { connection.interrupt() }

    func willClose() { connection.willClose() }

    /// Checkpoints the WAL as far as possible and closes the connection.
    ///
    /// After a failure of the disk the WAL is not changed. No file is open afterwards.
    func close() throws {
        let checkpoint = Result {
            if failure == nil { try connection.access { try $0.truncateWAL() } }
        }
        // Whatever fails: callers may refer to a closed store for long.
        defer { barrier?.closeWitness() }
        try connection.close()
        try checkpoint.get()
        if failure == nil { barrier?.removeWitness() }
    }
}
