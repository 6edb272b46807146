import SkiathosStore

/// A connection that only reads.
final class SQLiteReader: StoreReader {
    private let connection: SQLiteConnection

    init(_ connection: SQLiteConnection) { self.connection = connection }

    func read<R>(_ body: (any StoreSession) throws -> R) throws -> R {
        try connection.access { session in
            try session.withSnapshot { try body(session) }
        }
    }

    func interrupt() { connection.interrupt() }

    func close() throws { try connection.close() }
}
