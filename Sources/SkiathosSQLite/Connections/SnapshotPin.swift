import Synchronization

/// Tells any thread whether a reading connection holds a snapshot, and since when, and lets a read
/// reserve it.
final class SnapshotPin: Sendable {
    /// No renewal comes after it.
    private static let none = UInt64.max

    /// The number of the last renewal before the snapshot was taken.
    ///
    /// Set by the holder of the connection.
    private let renewal = Atomic<UInt64>(none)
    /// The number of the version that the kept snapshot has.
    ///
    /// Set by the holder of the connection.
    private let kept = Atomic<UInt64>(none)
    /// Whether a read relies on the kept snapshot.
    ///
    /// Set by that read.
    private let isReserved = Atomic(false)

    private let counter: CommitCounter

    /// - Parameter counter: Counts the commits; no snapshot is kept where there is none.
    init(_ counter: CommitCounter?) { self.counter = counter ?? CommitCounter() }

    /// Records that the snapshot of a version is kept for the next read.
    func keep(_ version: UInt64) { kept.store(version, ordering: .sequentiallyConsistent) }

    /// Reserves the kept snapshot, if it can be reused and no renewal is due.
    @inline(__always)
    func reserve() -> UInt64? {
        // The flag first: a thread that releases the snapshot looks at it after `kept` was cleared.
        isReserved.store(true, ordering: .sequentiallyConsistent)
        let version = kept.load(ordering: .sequentiallyConsistent)
        if isReusable(version) { return version }
        endReservation()
        return nil
    }

    /// Whether a read that begins now may have the snapshot that was kept for it, which has exactly a
    /// version.
    @inline(__always)
    func isReusable(_ version: UInt64) -> Bool {
        counter.isReusable(version) && !isHeld(before: counter.lastRenewal)
    }

    /// Ends a reservation.
    @inline(__always)
    func endReservation() { isReserved.store(false, ordering: .releasing) }

    /// Forbids reservations of the kept snapshot; returns whether none is under way.
    func withdraw() -> Bool {
        let version = kept.exchange(Self.none, ordering: .sequentiallyConsistent)
        guard isReserved.load(ordering: .sequentiallyConsistent) else { return true }
        keep(version)
        return false
    }

    /// Records that a snapshot is about to be taken.
    ///
    /// Called before it is taken: a thread that sees no snapshot here can rely on the next one
    /// seeing all earlier changes of the WAL.
    func begin(_ number: UInt64) { renewal.store(number, ordering: .sequentiallyConsistent) }

    /// Records that the snapshot was released.
    func end() {
        kept.store(Self.none, ordering: .sequentiallyConsistent)
        renewal.store(Self.none, ordering: .sequentiallyConsistent)
    }

    /// Whether a snapshot is held that is older than a renewal.
    @inline(__always)
    func isHeld(before number: UInt64) -> Bool {
        renewal.load(ordering: .sequentiallyConsistent) < number
    }
}
