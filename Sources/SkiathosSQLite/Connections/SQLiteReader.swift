import SkiathosStore
import Synchronization

/// A connection that only reads.
final class SQLiteReader: StoreReader {
    private struct Use {
        /// How many use the connection or wait for it.
        var users = 0
        /// How many reads there were, and how many when somebody looked last.
        var reads = 0
        var readsSeen = 0
    }

    private let connection: SQLiteConnection
    private let use = Lock(Use())

    init(_ connection: SQLiteConnection) { self.connection = connection }

    func read<R>(_ body: (any StoreSession) throws -> R) throws -> R {
        use.withLock {
            $0.users += 1
            $0.reads &+= 1
        }
        defer { use.withLock { $0.users -= 1 } }
        return try connection.access { session in
            try session.withSnapshot { try body(session) }
        }
    }

    /// Gives up the snapshot that was kept for the next read, unless a read is under way.
    func releaseSnapshotIfIdle() { releaseSnapshot { $0.users == 0 } }

    /// Gives up the snapshot that was kept for the next read, unless there was a read since the
    /// last call; tells whether there was none.
    func releaseSnapshotIfUnused() -> Bool {
        releaseSnapshot { use in
            defer { use.readsSeen = use.reads }
            return use.users == 0 && use.reads == use.readsSeen
        }
    }

    @discardableResult
    private func releaseSnapshot(if mayRelease: (inout Use) -> Bool) -> Bool {
        let isReleased = use.withLock { use in
            guard mayRelease(&use) else { return false }
            use.users += 1
            return true
        }
        guard isReleased else { return false }
        defer { use.withLock { $0.users -= 1 } }
        // A connection that is closed holds no snapshot.
        try? connection.access { $0.releaseSnapshot() }
        return true
    }

    func interrupt() { connection.interrupt() }

    func close() throws { try connection.close() }
}
