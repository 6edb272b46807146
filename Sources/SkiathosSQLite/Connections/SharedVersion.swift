import Locks
import SkiathosStore
import Synchronization

/// What the connections of a store that is open for writing tell each other: which version is
/// committed, and that snapshots are in the way of the log.
final class SharedVersion: Sendable {
    private let number = Atomic<UInt64>(0)
    /// The number of the last renewal of all snapshots.
    private let renewal = Atomic<UInt64>(0)
    /// The number of the last renewal that some read has outlasted.
    private let outlasted = Atomic<UInt64>(0)
    private let readers = Lock<[SQLiteReader]>([])
    private let wakeUps: IdleWakeUps
    private let wait: RenewalWait
    /// Whether somebody will look for unused snapshots.
    private let isWakeUpDue = Atomic(false)

    init(wakeUps: IdleWakeUps = .afterTime, wait: RenewalWait = .shortly) {
        self.wakeUps = wakeUps
        self.wait = wait
    }

    /// Whether a snapshot that was taken under a number is still of the newest version.
    ///
    /// While a commit is being made, a new snapshot may hold it already and one that is a little
    /// older may not, under the same number. So none of them is good for a second read then.
    func isNewest(_ held: UInt64?) -> Bool {
        let current = number.load(ordering: .sequentiallyConsistent)
        return held == current && current.isMultiple(of: 2)
    }

    /// The number under which to take a snapshot: twice that of the commits so far, and odd while
    /// one is being made.
    ///
    /// Whoever takes it first and his snapshot then sees at least that version.
    var current: UInt64 { number.load(ordering: .sequentiallyConsistent) }

    /// Runs a commit, after which all snapshots are old.
    func committing(_ commit: () throws -> Void) rethrows {
        number.wrappingAdd(1, ordering: .sequentiallyConsistent)
        defer { number.wrappingAdd(1, ordering: .sequentiallyConsistent) }
        try commit()
    }

    /// Says which connections read, until the store is closed: they refer to this object.
    func register(_ readers: [SQLiteReader]) { self.readers.withLock { $0 = readers } }

    /// The number of the last renewal.
    ///
    /// Like ``current``, it is taken before the snapshot.
    var lastRenewal: UInt64 { renewal.load(ordering: .sequentiallyConsistent) }

    /// Has each connection take a new snapshot at its next read, though nothing newer may be
    /// committed, and those that nobody reads with give up theirs at once.
    ///
    /// A snapshot of a version that is not in the main file as a whole keeps the log from starting
    /// over, also after the rest was brought there. One that is taken later does not.
    func renewSnapshots() {
        renewal.wrappingAdd(1, ordering: .sequentiallyConsistent)
        releaseOldSnapshots()
    }

    /// Waits a short time until no read has a snapshot that is older than the last renewal, and
    /// tells whether that is so.
    ///
    /// Nobody waits twice for the same read. Called by whoever has the writer's connection, so that
    /// nothing is committed meanwhile; reads go on.
    ///
    /// - Parameter pauses: How often somebody has waited for the same purpose.
    func awaitRenewal(_ pauses: inout Int) -> Bool {
        let last = lastRenewal
        while releaseOldSnapshots() {
            guard !isHeld(before: outlasted.load(ordering: .relaxed)) else { return false }
            guard wait.pause(pauses) else {
                outlasted.store(last, ordering: .relaxed)
                return false
            }
            pauses += 1
        }
        return true
    }

    private func isHeld(before renewal: UInt64) -> Bool {
        readers.withLock { $0 }.contains { $0.hold.isHeld(before: renewal) }
    }

    /// Has the connections that nobody reads with give up snapshots from before the last renewal,
    /// and tells whether others have any.
    @discardableResult
    private func releaseOldSnapshots() -> Bool {
        let last = lastRenewal
        for reader in readers.withLock({ $0 }) where reader.hold.isHeld(before: last) {
            reader.releaseSnapshotIfIdle()
        }
        return isHeld(before: last)
    }

    /// Tells that a connection has a snapshot which it will keep after its read.
    func snapshotTaken() {
        guard !isWakeUpDue.load(ordering: .relaxed),
            !isWakeUpDue.exchange(true, ordering: .relaxed)
        else { return }
        wakeUps.schedule { [weak self] in self?.wokeUp() }
    }

    /// Has the connections that nobody has read with since the last time give up their snapshots,
    /// and looks again later only if there are others.
    private func wokeUp() {
        // Before the connections are looked at: a read that finds it set has begun by then, and is
        // seen here, since both take the lock in its connection.
        isWakeUpDue.store(false, ordering: .relaxed)
        var isInUse = false
        for reader in readers.withLock({ $0 }) where !reader.releaseSnapshotIfUnused() {
            isInUse = true
        }
        if isInUse { snapshotTaken() }
    }
}
