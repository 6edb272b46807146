import SkiathosStore
import Synchronization

/// What the connections of a store that is open for writing tell each other: which version is
/// committed, and that snapshots of older ones are in the way.
final class SharedVersion: Sendable {
    private let number = Atomic<UInt64>(0)
    private let readers = Lock<[SQLiteReader]>([])
    private let wakeUps: IdleWakeUps
    /// Whether somebody will look for unused snapshots.
    private let isWakeUpDue = Atomic(false)

    init(wakeUps: IdleWakeUps = .afterTime) { self.wakeUps = wakeUps }

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

    /// Has the connections that nobody reads with give up their snapshots, which keep a checkpoint
    /// from getting to its end and the log from starting over.
    func releaseIdleSnapshots() {
        for reader in readers.withLock({ $0 }) { reader.releaseSnapshotIfIdle() }
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
