import SkiathosStore

/// The connection that writes; in a store in memory, the one that reads too.
final class SQLiteWriter: StoreWriter {
    private let connection: SQLiteConnection

    init(_ connection: SQLiteConnection) { self.connection = connection }

    func read<R>(_ body: (any StoreSession) throws -> R) throws -> R {
        try connection.access { session in
            try session.withSnapshot { try body(session) }
        }
    }

    func withSession<R>(_ body: (any StoreWriteSession) throws -> R) throws -> R {
        try connection.access { try body($0) }
    }

    func interrupt() { connection.interrupt() }

    /// Brings the log into the main file as far as possible and closes the connection.
    func close() throws {
        let checkpoint = Result { try connection.access { try $0.truncateLog() } }
        try connection.close()
        try checkpoint.get()
    }
}
