import SkiathosLocks
import SkiathosStore
import Synchronization

/// State shared by the connections of a writable store.
///
/// It holds the commit counter, and the epoch (renewal) after which readers must renew their
/// snapshots so that the WAL can restart.
final class CommitCounter: Sendable {
    private let number = Atomic<UInt64>(0)
    /// The number of the last commit that a snapshot may contain which was taken while it ran.
    private let seen = Atomic<UInt64>(0)
    /// The number of the last renewal of all snapshots.
    private let renewal = Atomic<UInt64>(0)
    /// The number of the last renewal that a longer read has outlasted.
    private let outlasted = Atomic<UInt64>(0)
    private let readers = Lock<[SQLiteReader]>([])
    private let writer = Lock<SQLiteWriter?>(nil)
    private let wakeUps: IdleWakeUps
    private let wait: EpochWait
    /// Whether a check for unused snapshots is scheduled.
    private let isWakeUpDue = Atomic(false)

    init(wakeUps: IdleWakeUps = .afterTime, wait: EpochWait = .shortly) {
        self.wakeUps = wakeUps
        self.wait = wait
    }

    /// Whether a snapshot that was just taken under a number has the version of that number.
    ///
    /// During a commit, a new snapshot may already contain it and a slightly older one may
    /// not, under the same number. So none of them may be reused for a second read.
    func isExact(_ held: UInt64) -> Bool {
        let current = number.load(ordering: .sequentiallyConsistent)
        return held == current && current.isMultiple(of: 2)
    }

    /// Whether a read that begins now may reuse a snapshot that has exactly the version of a number.
    ///
    /// That of the version before is as good while a commit runs, since no write has returned that is
    /// in it, unless another read may have seen the commit: no later read may see less.
    @inline(__always)
    func isReusable(_ held: UInt64) -> Bool {
        let current = number.load(ordering: .sequentiallyConsistent)
        if current.isMultiple(of: 2) { return held == current }
        return held &+ 1 == current && seen.load(ordering: .sequentiallyConsistent) != current
    }

    /// Records that a snapshot was taken which may contain the commit that runs; called before anything
    /// is read from it.
    func snapshotMayContainCommit() {
        let current = number.load(ordering: .sequentiallyConsistent)
        // The numbers of later commits stay.
        if !current.isMultiple(of: 2) { seen.max(current, ordering: .sequentiallyConsistent) }
    }

    /// The number under which to take a snapshot: twice the number of commits so far, and odd
    /// during one.
    ///
    /// A reader that loads the number before it takes its snapshot sees at least that version.
    var current: UInt64 { number.load(ordering: .sequentiallyConsistent) }

    /// Runs a commit, which makes all snapshots outdated.
    ///
    /// Reads that have begun without a snapshot get that of the version before, unless they end within
    /// about two microseconds.
    func committing(_ commit: () throws -> Void) rethrows {
        let number = number.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
        defer { self.number.wrappingAdd(1, ordering: .sequentiallyConsistent) }
        // After the number was changed: a read that begins from now on may see the commit.
        for reader in readers.withLock({ $0 }) where reader.pin.isPending(before: number) {
            reader.settlePendingRead(before: number)
        }
        try commit()
    }

    /// Sets the connections, until the store is closed: they refer to this object.
    func register(_ readers: [SQLiteReader], _ writer: SQLiteWriter?) {
        self.readers.withLock { $0 = readers }
        self.writer.withLock { $0 = writer }
    }

    /// Adds a connection that was opened later.
    func add(_ reader: SQLiteReader) { readers.withLock { $0.append(reader) } }

    /// The number of the last renewal.
    ///
    /// Like ``current``, it is taken before the snapshot.
    var lastRenewal: UInt64 { renewal.load(ordering: .sequentiallyConsistent) }

    /// Makes each connection take a new snapshot at its next read; idle ones release theirs at
    /// once.
    ///
    /// This is done even if nothing newer is committed. A snapshot of a version that is not
    /// completely in the main file keeps the WAL from restarting, also after the rest was
    /// checkpointed. A snapshot that is taken later does not.
    func renewSnapshots() {
        renewal.wrappingAdd(1, ordering: .sequentiallyConsistent)
        releaseOldSnapshots()
    }

    /// Waits briefly until no read has a snapshot older than the last renewal; returns whether
    /// that holds.
    ///
    /// No caller waits twice for the same read. Called while holding the writer's connection,
    /// so that nothing is committed meanwhile; reads continue.
    ///
    /// - Parameter pauses: How many pauses there were for the same purpose.
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
        readers.withLock { $0 }.contains { $0.pin.isHeld(before: renewal) }
    }

    /// Makes idle connections release snapshots from before the last renewal; returns whether
    /// others have any.
    @discardableResult
    private func releaseOldSnapshots() -> Bool {
        let last = lastRenewal
        for reader in readers.withLock({ $0 }) where reader.pin.isHeld(before: last) {
            reader.releaseSnapshotIfIdle()
        }
        return isHeld(before: last)
    }

    /// Called when a connection has a snapshot that it will keep after its read or its transaction.
    func snapshotTaken() {
        guard !isWakeUpDue.load(ordering: .relaxed),
            !isWakeUpDue.exchange(true, ordering: .relaxed)
        else { return }
        // Not weakly: each read retains this object, which a weak reference makes dear. After closing
        // it refers to no connection.
        wakeUps.schedule { [self] in wokeUp() }
    }

    /// Makes connections without a read since the last check release their snapshots.
    ///
    /// Schedules another check only if others still have one.
    private func wokeUp() {
        // Before the connections are checked: a read that finds it set has begun by then, and
        // is seen here, since both acquire the lock of the connection.
        isWakeUpDue.store(false, ordering: .relaxed)
        var isInUse = false
        for reader in readers.withLock({ $0 }) where !reader.releaseSnapshotIfUnused() {
            isInUse = true
        }
        if writer.withLock({ $0 })?.endKeptReadIfUnused() == false { isInUse = true }
        if isInUse { snapshotTaken() }
    }
}
