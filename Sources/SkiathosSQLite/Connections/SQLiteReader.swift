import SkiathosStore
import Synchronization

/// A connection that only reads.
final class SQLiteReader: StoreReader {
    private let connection: SQLiteConnection
    /// Records since when the connection has its snapshot.
    let pin: SnapshotPin

    init(_ connection: SQLiteConnection) {
        self.connection = connection
        pin = connection.pin
    }

    func read(_ body: (any StoreSession) throws -> Void) throws {
        try connection.access { session in
            session.reads &+= 1
            try session.withSnapshot { try body(session) }
        }
    }

    func reserveSnapshot() -> UInt64? { pin.reserve() }

    func readReserved(_ body: (any StoreSession) throws -> Void) throws {
        try connection.access { session in
            session.reads &+= 1
            try body(session)
        }
    }

    func endReservation(discarding: Bool) {
        // A connection that is closed holds no snapshot.
        if discarding { try? connection.access { $0.releaseSnapshot() } }
        pin.endReservation()
    }

    /// Releases the snapshot kept for the next read, unless a read is running.
    func releaseSnapshotIfIdle() {
        // A connection that is closed holds no snapshot.
        _ = try? connection.accessIfFree { _ = $0.releaseSnapshotUnlessReserved() }
    }

    /// Releases the snapshot kept for the next read, unless there was a read since the last
    /// call.
    ///
    /// Returns whether there was none.
    func releaseSnapshotIfUnused() -> Bool {
        var isUnused = false
        let wasFree = try? connection.accessIfFree { session in
            isUnused = session.reads == session.readsSeen
            session.readsSeen = session.reads
            if isUnused { isUnused = session.releaseSnapshotUnlessReserved() }
        }
        // One that is closed holds no snapshot.
        return isUnused || wasFree == nil
    }

    func interrupt() { connection.interrupt() }

    func close() throws { try connection.close() }
}
