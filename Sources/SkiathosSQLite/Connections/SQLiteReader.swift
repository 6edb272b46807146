import SkiathosStore
import Synchronization

/// A connection that only reads.
final class SQLiteReader: StoreReader {
    private let connection: SQLiteConnection
    /// How many use the connection or wait for it.
    private let users = Lock(0)

    init(_ connection: SQLiteConnection) { self.connection = connection }

    func read<R>(_ body: (any StoreSession) throws -> R) throws -> R {
        users.withLock { $0 += 1 }
        defer { users.withLock { $0 -= 1 } }
        return try connection.access { session in
            try session.withSnapshot { try body(session) }
        }
    }

    /// Gives up the snapshot that was kept for the next read, unless a read is under way.
    func releaseSnapshotIfIdle() {
        let isIdle = users.withLock { users in
            guard users == 0 else { return false }
            users += 1
            return true
        }
        guard isIdle else { return }
        defer { users.withLock { $0 -= 1 } }
        // A connection that is closed holds no snapshot.
        try? connection.access { $0.releaseSnapshot() }
    }

    func interrupt() { connection.interrupt() }

    func close() throws { try connection.close() }
}
