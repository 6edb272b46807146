import SkiathosStore

/// The connection that writes; in a store in memory, the one that reads too.
final class SQLiteWriter: StoreWriter {
    private let connection: SQLiteConnection
    /// None for a store in memory, or one that is only read.
    private let barrier: LogBarrier?

    init(_ connection: SQLiteConnection, _ barrier: LogBarrier? = nil) {
        self.connection = connection
        self.barrier = barrier
    }

    /// The failure after which the disk may hold less than SQLite believes.
    var failure: StoreError? { barrier?.failure }

    func read(_ body: (any StoreSession) throws -> Void) throws {
        try connection.access { session in
            try session.withSnapshot { try body(session) }
        }
    }

    func withSession(_ body: (any StoreWriteSession) throws -> Void) throws {
        try connection.access { try body($0) }
    }

    /// Gives exclusive use of the connection to a closure that knows SQLite.
    func access<R>(_ body: (SQLiteSession) throws -> R) throws -> R {
        try connection.access(body)
    }

    func sync() throws { try barrier?.sync() }

    func interrupt() { connection.interrupt() }

    func willClose() { connection.willClose() }

    /// Brings the log into the main file as far as possible and closes the connection.
    ///
    /// After a failure of the disk the log is left as it is.
    func close() throws {
        let checkpoint = Result {
            if failure == nil { try connection.access { try $0.truncateLog() } }
        }
        try connection.close()
        try checkpoint.get()
        if failure == nil { barrier?.removeWitness() }
    }
}
