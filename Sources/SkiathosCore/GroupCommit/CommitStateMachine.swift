import SkiathosStore

/// Decides when the batch of merged writes is committed and synced; does nothing itself.
///
/// Writes come in turn, one after the other. Each is merged into the open transaction, and those
/// that wait for an acknowledgement share the commit: while others wait for their turn, a write
/// leaves the commit to them, and the last in line makes it at once. Those that were acknowledged
/// together are likely to come back together: until as many have come, a write gives way to them for
/// a moment before it commits. A sync runs beside the writes that follow, and those that come
/// meanwhile share the next one.
struct CommitStateMachine<Waiter: Sendable>: Sendable {
    /// Writes between two commits.
    struct Batch: Sendable {
        /// How many writes were merged.
        var count = 0
        /// Those that wait for the commit.
        var awaitingCommit: [Waiter] = []
        /// Those that wait for a sync after the commit.
        var awaitingSync: [Waiter] = []
        /// How many writes have returned already, so that reads must see them.
        var returned = 0

        /// How many wait.
        var awaited: Int { awaitingCommit.count + awaitingSync.count }
        var isAwaited: Bool { !awaitingCommit.isEmpty || !awaitingSync.isEmpty }
    }

    /// For whom a write can wait a moment before it commits.
    enum CommitDelay {
        /// For nobody.
        case never
        /// For as many as are expectedSiblings, which takes time. If there are as many, nothing is gained.
        case toExpected
        /// For all that are about to come, which takes no time if there are none. More may come
        /// than are expectedSiblings, so that whoever is expectedSiblings is never too few for long.
        case toAll
    }

    /// What has to be done after a write was merged or a turn has ended.
    enum Action: Equatable {
        /// Commit now.
        case commit
        /// Look again when the interval has passed, since nobody else may come.
        case wakeLater
        /// Nothing: somebody else will see to it.
        case none
    }

    private enum Transaction: Sendable {
        /// None is open, or an empty one. Exits: `batch` when a write is merged; `exclusive`.
        case idle
        /// It holds merged writes alone. Exits: `idle` when they are committed or lost.
        case batch(Batch)
        /// It holds unfinished changes of the write that has the turn. Exits: `batch` when that
        /// is merged; `idle` when it is undone.
        case exclusive
    }

    /// What has to be done for those whose changes are committed, and who wait for a sync.
    enum Sync {
        /// Nothing: nobody waits, or the sync that is running will be followed by theirs.
        case none
        /// Sync, and tell them.
        case run([Waiter])
        /// Tell them that they are not durable, since an earlier sync has failed.
        case refuse([Waiter], StoreError)
    }

    /// After how many commits a write looks whether it is alone.
    ///
    /// A task that never waits keeps its thread, and others are not seen before they have one.
    private static var soloProbeInterval: Int { 32 }

    private let limit: Int
    private var transaction = Transaction.idle
    /// Whether a batch was taken and is neither committed nor lost yet.
    private(set) var isCommitting = false
    /// Those whose changes are committed, and who wait for a sync.
    private var unsynced: [Waiter] = []
    /// Whether somebody is syncing.
    private(set) var isSyncing = false
    /// Why nothing counts as durable any more, once that is so.
    ///
    /// It stays: a later sync can succeed without having written what an earlier one lost.
    private(set) var failure: StoreError?
    /// Whether somebody will make a checkpoint.
    private var isCheckpointPlanned = false
    /// How many batches were taken.
    private(set) var batches = 0
    /// How many batches were committed.
    private(set) var commits = 0
    /// How often merged writes were lost.
    ///
    /// A write that began before may have seen what is no more.
    private(set) var failedBatchCount = 0
    /// How many writes were merged, how many of them were committed, and how many are known to
    /// survive the loss of power.
    private var merged = 0
    private var committed = 0
    private var durable = 0
    /// How many were committed when the sync began that is running.
    private var syncing = 0
    /// Why writes that had returned were lost, until a flush has told it.
    private var unreportedFailure: (any Error)?
    /// Whether somebody will look again after the interval.
    private var isWakeUpDue = false
    /// How many writes are likely to come at about the same time: those that were acknowledged
    /// together last, and those that were in line then.
    private var expectedSiblings = 0

    /// - Parameter limit: How many writes a batch may hold.
    init(limit: Int) { self.limit = limit }

    /// Whether a read has to have the batch committed, or to wait for the commit that is being
    /// made, to see all that has returned, and all that something which has returned has seen.
    private(set) var hasReturnedWrites = false

    var hasBatch: Bool { if case .batch = transaction { true } else { false } }
    var isExclusive: Bool { if case .exclusive = transaction { true } else { false } }

    /// The write that has the turn begins to change rows before it is finished.
    ///
    /// The batch was committed before, so that nobody has to wait for this write.
    mutating func beginExclusive() {
        guard case .idle = transaction else {
            preconditionFailure("A write took the transaction before the batch was committed.")
        }
        transaction = .exclusive
    }

    /// The changes of the write that has the turn are undone.
    mutating func endExclusive() {
        if case .exclusive = transaction { transaction = .idle }
    }

    /// A write was merged; called while the connection is held, so that no commit comes between.
    ///
    /// - Parameters:
    ///   - waiter: Who waits, unless the write returns at once.
    ///   - needsSync: Whether he waits for a sync too.
    ///   - othersWait: Whether another write is waiting for its turn.
    ///   - delay: For whom the caller can wait. Unless he has to commit now, he calls
    ///     ``delayEnded(since:othersWait:)`` then.
    mutating func merge(
        _ waiter: Waiter?, needsSync: Bool, othersWait: Bool, delay: CommitDelay = .never
    ) -> Action {
        var batch = if case .batch(let batch) = transaction { batch } else { Batch() }
        batch.count += 1
        merged += 1
        switch waiter {
        case let waiter? where needsSync: batch.awaitingSync.append(waiter)
        case let waiter?: batch.awaitingCommit.append(waiter)
        case nil:
            batch.returned += 1
            hasReturnedWrites = true
        }
        transaction = .batch(batch)
        if batch.count >= limit { return .commit }
        let waits =
            switch delay {
            case .never: false
            case .toExpected: batch.awaited < expectedSiblings
            case .toAll:
                expectedSiblings > 1
                    || commits % Self.soloProbeInterval == Self.soloProbeInterval - 1
            }
        return nextAction(batch, othersWait: othersWait || waits)
    }

    /// Whether at least as many writes as are expectedSiblings wait for the commit of the open batch.
    var isComplete: Bool {
        guard case .batch(let batch) = transaction else { return true }
        return batch.awaited >= expectedSiblings
    }

    /// A write that has left the commit to those that were expectedSiblings has given way to them.
    ///
    /// - Parameters:
    ///   - number: What ``batches`` was when it was merged. If another batch is open now, that is
    ///     left to those who are in it.
    ///   - othersWait: Whether another write has the turn or is waiting for it.
    mutating func delayEnded(since number: Int, othersWait: Bool) -> Action {
        guard case .batch(let batch) = transaction, batch.isAwaited, number == batches else {
            return .none
        }
        return nextAction(batch, othersWait: othersWait)
    }

    /// A turn has ended without a merge.
    ///
    /// - Parameter hasRead: Whether its closure may have seen what is merged but not committed. It
    ///   tells its caller, and what begins after that must not see less.
    mutating func turnEnded(othersWait: Bool, hasRead: Bool) -> Action {
        if hasRead, hasBatch || isCommitting { hasReturnedWrites = true }
        guard case .batch(let batch) = transaction else { return .none }
        return nextAction(batch, othersWait: othersWait)
    }

    /// The interval has passed.
    mutating func wokeUp() -> Action {
        isWakeUpDue = false
        if case .batch = transaction { return .commit }
        return .none
    }

    /// Hands the batch to whoever commits it; he has the connection for himself.
    mutating func takeBatch() -> Batch? {
        guard case .batch(let batch) = transaction else { return nil }
        transaction = .idle
        batches += 1
        isCommitting = true
        return batch
    }

    /// The batch could not be committed, and is undone.
    mutating func lost(_ batch: Batch, _ error: any Error) {
        isCommitting = false
        failedBatchCount += 1
        hasReturnedWrites = false
        if batch.returned > 0 { unreportedFailure = error }
    }

    /// Why writes that had returned were lost since the last flush, if they were.
    mutating func takeUnreportedFailure() -> (any Error)? {
        defer { unreportedFailure = nil }
        return unreportedFailure
    }

    /// The batch was committed.
    ///
    /// - Parameter inLine: How many writes wait for their turn.
    mutating func committed(_ batch: Batch, inLine: Int = 0) {
        expectedSiblings = batch.awaited + inLine
        commits += 1
        committed += batch.count
        isCommitting = false
        hasReturnedWrites = false
        unsynced += batch.awaitingSync
    }

    /// Something was committed that is in no batch.
    mutating func committedAlone() {
        merged += 1
        committed += 1
    }

    /// Whether everything that was merged is known to survive the loss of power.
    ///
    /// Writes that were lost count as merged, since a part of their commit may come back.
    var isDurable: Bool { failure == nil && durable == merged }

    /// Somebody waits for everything that is committed to be synced.
    mutating func awaitSync(_ waiter: Waiter) { unsynced.append(waiter) }

    /// Whether somebody waits for a sync alone, or for the end of one.
    var isSyncAwaited: Bool { isSyncing || !unsynced.isEmpty }

    /// Says what to do now for those that wait for a sync alone.
    mutating func beginSync() -> Sync {
        guard !isSyncing, !unsynced.isEmpty else { return .none }
        defer { unsynced = [] }
        if let failure { return .refuse(unsynced, failure) }
        isSyncing = true
        syncing = committed
        return .run(unsynced)
    }

    /// A sync has ended; returns whether others have come to wait for the next one, committed or
    /// not.
    ///
    /// - Parameters:
    ///   - served: How many have waited for it.
    ///   - inLine: How many writes wait for their turn.
    mutating func endSync(_ error: StoreError?, served: Int = 0, inLine: Int = 0) -> Bool {
        isSyncing = false
        expectedSiblings = served + inLine
        if let error { fail(error) } else { durable = syncing }
        guard case .batch(let batch) = transaction else { return !unsynced.isEmpty }
        expectedSiblings += batch.awaited
        return !unsynced.isEmpty || !batch.awaitingSync.isEmpty
    }

    /// The disk may hold less than was written to it; returns whether that is news.
    @discardableResult
    mutating func fail(_ error: StoreError) -> Bool {
        guard failure == nil else { return false }
        failure = error
        return true
    }

    /// Whether the caller should see to a checkpoint, which nobody does yet.
    mutating func planCheckpoint() -> Bool {
        guard !isCheckpointPlanned, failure == nil else { return false }
        isCheckpointPlanned = true
        return true
    }

    /// The checkpoint that was planned was made, or found impossible.
    mutating func checkpointEnded() { isCheckpointPlanned = false }

    private mutating func nextAction(_ batch: Batch, othersWait: Bool) -> Action {
        // Those who wait for a sync have to wait for the end of the one that is running, and whoever
        // makes that commits for them.
        let isUrgent = !batch.awaitingCommit.isEmpty || (batch.isAwaited && !isSyncing)
        if isUrgent, !othersWait { return .commit }
        guard !isWakeUpDue else { return .none }
        isWakeUpDue = true
        return .wakeLater
    }
}
