import SkiathosStore
import Synchronization

/// Tells any thread whether a reading connection holds a snapshot, and since when, and lets a read
/// reserve it, or begin before there is one.
///
/// A read that finds all its rows in the row cache needs no snapshot, and taking one costs more than
/// the rest of such a read. So a read may reserve the connection with a _pending_ snapshot, and has the
/// version with the number at its beginning. The first statement takes it, unless a commit comes before:
/// then the thread that commits takes it with another connection, the spare one, before the commit can
/// be read. Whichever of the two replaces the number in `use` decides which connection the read uses.
final class SnapshotPin: Sendable {
    /// What a read relies on whose snapshot is not pending; no commit has such a number.
    enum Reliance: UInt64 {
        /// The pending snapshot could not be taken.
        case failure = 0xFFFF_FFFF_FFFF_FFFC
        /// The snapshot of the spare connection.
        case spare = 0xFFFF_FFFF_FFFF_FFFD
        /// The snapshot that the connection holds.
        case snapshot = 0xFFFF_FFFF_FFFF_FFFE
        /// No read has reserved the connection.
        case none = 0xFFFF_FFFF_FFFF_FFFF
    }

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
    /// The commit number at the beginning of the read that has reserved the connection, while its snapshot
    /// is pending, otherwise a `Reliance`.
    ///
    /// Set by that read. The thread that commits may replace a number.
    private let use = Atomic(Reliance.none.rawValue)

    private let counter: CommitCounter
    /// Whether commits are counted.
    private let countsCommits: Bool
    /// The pin of the connection whose reads use this one as the spare one, if it is that.
    private let owner: SnapshotPin?

    /// - Parameters:
    ///   - counter: Counts the commits; no snapshot is kept where there is none.
    ///   - owner: The pin of the connection for which this one is the spare.
    init(_ counter: CommitCounter?, spareOf owner: SnapshotPin? = nil) {
        self.counter = counter ?? CommitCounter()
        countsCommits = counter != nil
        self.owner = owner
    }

    /// Records that the snapshot of a version is kept for the next read.
    func keep(_ version: UInt64) { kept.store(version, ordering: .sequentiallyConsistent) }

    /// Reserves the connection for a read: with the kept snapshot if that can be reused and no renewal
    /// is due, otherwise with a pending one; `nil` if commits are not counted.
    @inline(__always)
    func reserve() -> ReadReservation? {
        let version = kept.load(ordering: .sequentiallyConsistent)
        if isReusable(version) {
            // Before it is looked at again: a thread that releases the snapshot looks at the use after
            // it has cleared `kept`.
            use.store(Reliance.snapshot.rawValue, ordering: .sequentiallyConsistent)
            if kept.load(ordering: .sequentiallyConsistent) == version {
                return ReadReservation(version: version, hasSnapshot: true)
            }
        }
        return reservePending()
    }

    private func reservePending() -> ReadReservation? {
        guard countsCommits else { return nil }
        var number = counter.current
        while true {
            // The use first: the thread that commits looks at it after it has changed the number. So it
            // takes the snapshot, or this read has the number during its commit.
            use.store(number, ordering: .sequentiallyConsistent)
            let current = counter.current
            if current == number {
                return ReadReservation(version: number, hasSnapshot: false)
            }
            number = current
        }
    }

    /// Whether a read that begins now may have the snapshot that was kept for it, which has exactly a
    /// version.
    @inline(__always)
    func isReusable(_ version: UInt64) -> Bool {
        counter.isReusable(version) && !isRenewalDue
    }

    /// Whether the snapshot that is held is to be renewed before it is used again.
    @inline(__always)
    var isRenewalDue: Bool { isHeld(before: counter.lastRenewal) }

    /// Ends a reservation.
    @inline(__always)
    func endReservation() { use.store(Reliance.none.rawValue, ordering: .releasing) }

    /// What the read that has reserved the connection relies on; `nil` while its snapshot is pending.
    var reliance: Reliance? {
        Reliance(rawValue: use.load(ordering: .sequentiallyConsistent))
    }

    /// The number of the version of the read that has reserved the connection, while its snapshot is
    /// pending.
    var pending: UInt64? {
        let use = use.load(ordering: .sequentiallyConsistent)
        return use < Reliance.failure.rawValue ? use : nil
    }

    /// Whether the read that has reserved the connection relies on the snapshot that it holds.
    @inline(__always)
    var hasSnapshot: Bool { use.load(ordering: .relaxed) == Reliance.snapshot.rawValue }

    /// Whether a pending snapshot must be taken before the commit with a number can be read.
    @inline(__always)
    func isPending(before commit: UInt64) -> Bool {
        let use = use.load(ordering: .sequentiallyConsistent)
        // A read that began during the commit may see it.
        return use < Reliance.failure.rawValue && use != commit
    }

    /// Records what a read relies on from now on that began with a number; returns whether its snapshot
    /// was still pending.
    func settle(_ pending: UInt64, on reliance: Reliance) -> Bool {
        use.compareExchange(
            expected: pending, desired: reliance.rawValue, ordering: .sequentiallyConsistent
        ).exchanged
    }

    /// Forbids reservations of the kept snapshot; returns whether no read relies on it.
    func withdraw() -> Bool {
        let version = kept.exchange(Self.none, ordering: .sequentiallyConsistent)
        guard reliance == .snapshot || owner?.reliance == .spare else { return true }
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
