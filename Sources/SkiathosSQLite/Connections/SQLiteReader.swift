import CSkiathosThreads
import SkiathosStore
import Synchronization

/// A connection that only reads.
final class SQLiteReader: StoreReader {
    /// How often a thread that commits looks whether a read has ended, about 40 ns each time.
    ///
    /// Most small reads end earlier than a snapshot is taken.
    private static let pauses = 50

    private let connection: SQLiteConnection
    /// Records since when the connection has its snapshot.
    let pin: SnapshotPin
    /// The connection for reads whose snapshot was pending before a commit.
    private let spare: SpareReader?

    /// - Parameter spare: Opens the spare connection, for a connection whose snapshots may be pending.
    init(_ connection: SQLiteConnection, spare: SpareReader? = nil) {
        self.connection = connection
        self.spare = spare
        pin = connection.pin
    }

    func read(_ body: (any StoreSession) throws -> Void) throws {
        try connection.access { session in
            session.reads &+= 1
            try session.withSnapshot { try body(session) }
        }
    }

    var supportsCancellationChecks: Bool { true }

    func reserve() -> ReadReservation? { pin.reserve() }

    func readReserved(_ body: (any StoreSession) throws -> Void) throws {
        guard pin.hasSnapshot else { return try readPending(body) }
        try readHeld(body)
    }

    /// Runs a closure on the snapshot that is held.
    private func readHeld(_ body: (any StoreSession) throws -> Void) throws {
        try connection.access { session in
            session.reads &+= 1
            try body(session)
        }
    }

    /// Takes the snapshot of the read that has reserved the connection, unless the thread that commits
    /// has done so.
    private func readPending(_ body: (any StoreSession) throws -> Void) throws {
        if let number = pin.pending {
            var isTaken = false
            try connection.access { session in
                session.reads &+= 1
                isTaken = try session.takePendingSnapshot(number)
                if isTaken { try body(session) }
            }
            if isTaken { return }
        }
        // The connection and its snapshot are there, or the reason why they are not.
        if let spare { try spare.reader.readHeld(body) }
    }

    func readEarlier(
        _ body: (_ session: any StoreSession, _ version: UInt64) throws -> Void
    ) throws {
        guard pin.pending != nil else { return }
        try connection.access { session in
            guard let version = session.heldVersion, session.isHeldExactly, !pin.isRenewalDue
            else { return }
            session.reads &+= 1
            try body(session, version)
        }
    }

    func endReservation(discarding: Bool) {
        if discarding {
            // A connection that is closed holds no snapshot.
            try? connection.access { $0.releaseSnapshot() }
            if pin.reliance == .spare {
                try? spare?.reader.connection.access { $0.releaseSnapshot() }
            }
        }
        pin.endReservation()
    }

    /// Takes the snapshot of the read that has reserved the connection, if it is still pending in about
    /// two microseconds; called by the thread that is about to commit under a number.
    func settlePendingRead(before commit: UInt64) {
        for _ in 0..<Self.pauses {
            guard pin.isPending(before: commit) else { return }
            skiathos_relax()
        }
        guard let number = pin.pending, let spare else { return }
        let isTaken = spare.take(commit &- 1, of: pin)
        _ = pin.settle(number, on: isTaken ? .spare : .failure)
    }

    /// Takes a snapshot, of which it is known that it has a version.
    func takeSnapshot(of version: UInt64) throws {
        try connection.access { try $0.takeSnapshot(of: version) }
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

    func interrupt() {
        connection.interrupt()
        spare?.opened?.interrupt()
    }

    func close() throws {
        let closing = Result { try spare?.close() }
        try connection.close()
        try closing.get()
    }
}
