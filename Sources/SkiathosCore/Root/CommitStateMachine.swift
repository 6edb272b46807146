import SkiathosStore

/// Decides when the batch of merged writes is committed and synced; does nothing itself.
///
/// Writes are merged into the open transaction one after the other. Those that wait for an
/// acknowledgement share a commit: while other writes are queued, a write leaves the commit to them,
/// and the last in the queue commits at once. Writes that were acknowledged together are likely to
/// come back together, so a write delays its commit for a moment until as many siblings have joined
/// (compare `commit_delay` and `commit_siblings` of PostgreSQL). A sync runs beside the writes that
/// follow; those that arrive meanwhile share the next sync.
struct CommitStateMachine<Waiter: Sendable>: Sendable {
    /// Writes between two commits.
    struct Batch: Sendable {
        /// How many writes were merged.
        var count = 0
        /// The waiters for the commit.
        var awaitingCommit: [Waiter] = []
        /// The waiters for a sync after the commit.
        var awaitingSync: [Waiter] = []
        /// How many writes have returned already, so that reads must see them.
        var returned = 0
        /// Whether it is a single write that commits the batch itself, and so needs no waiter.
        var isLone = false

        /// The number of waiters.
        var awaited: Int { awaitingCommit.count + awaitingSync.count + (isLone ? 1 : 0) }
        var isAwaited: Bool { !awaitingCommit.isEmpty || !awaitingSync.isEmpty }
    }

    /// How a write may delay its commit.
    enum CommitDelay {
        /// It commits at once.
        case never
        /// It waits, busy, until the expected siblings have joined.
        case toExpected
        /// It yields once, so that all writes which are ready to run can join, unless another write of
        /// the batch does so already. More may join than are expected, which raises the expectation.
        case toAll
    }

    /// What the driver does after a write was merged or a permit was released.
    enum Action: Equatable {
        /// Commit now.
        case commit
        /// Ask again when the interval has passed, since no other write may arrive.
        case wakeLater
        /// Nothing: another event will cause the commit.
        case none
    }

    private enum Transaction: Sendable {
        /// None is open, or an empty one. Exits: `batch` when a write is merged; `exclusive`.
        case idle
        /// It holds merged writes alone. Exits: `idle` when they are committed or lost.
        case batch(Batch)
        /// It holds unfinished changes of the write that has the permit. Exits: `batch` when that
        /// is merged; `idle` when it is undone.
        case exclusive
    }

    /// What the driver does for waiters whose changes are committed, and which need a sync.
    enum Sync {
        /// Nothing: there are no waiters, or the sync that is running is followed by theirs.
        case none
        /// Sync, and resume them.
        case run([Waiter])
        /// Fail them, since an earlier sync has failed.
        case refuse([Waiter], StoreError)
    }

    /// After how many commits a write yields once, to see whether it is alone.
    ///
    /// A task that never waits keeps its thread, and others are not seen before they have one.
    private static var soloProbeInterval: Int { 32 }

    private let limit: Int
    private var transaction = Transaction.idle
    /// Whether a batch was taken and has neither been committed nor failed.
    private(set) var isCommitting = false
    /// The waiters whose changes are committed, and which need a sync.
    private var unsynced: [Waiter] = []
    /// Whether a sync is running.
    private(set) var isSyncing = false
    /// Why nothing counts as durable any more, once that is so.
    ///
    /// It stays: a later sync can succeed without having written what an earlier one lost.
    private(set) var failure: StoreError?
    /// Whether that is so: each write asks, and the error would be copied.
    private(set) var hasFailed = false
    /// Whether a checkpoint is planned.
    private var isCheckpointPlanned = false
    /// How many batches were taken.
    private(set) var batches = 0
    /// How many batches were committed.
    private(set) var commits = 0
    /// How many batches have failed.
    ///
    /// A write that began before a failure may have seen changes that are rolled back.
    private(set) var failedBatchCount = 0
    /// How many writes were merged, how many of them were committed, and how many are known to
    /// survive the loss of power.
    private var merged = 0
    private var committed = 0
    private var durable = 0
    /// How many were committed when the sync began that is running.
    private var syncing = 0
    /// Why writes that had returned were rolled back, until a flush has reported it.
    private var unreportedFailure: (any Error)?
    /// Whether a wake-up after the interval is scheduled.
    private var isWakeUpDue = false
    /// Whether a write of the open batch yields, and will decide about the commit.
    private var isDelayed = false
    /// How many writes are likely to arrive at about the same time: those that were acknowledged
    /// together last, and those that were queued then.
    private var expectedSiblings = 0

    /// - Parameter limit: How many writes a batch may hold.
    init(limit: Int) { self.limit = limit }

    /// Whether a read must first commit the open batch, or wait for the running commit, because an
    /// acknowledged write is in it or was derived from it.
    private(set) var hasReturnedWrites = false

    var hasBatch: Bool { if case .batch = transaction { true } else { false } }
    var isExclusive: Bool { if case .exclusive = transaction { true } else { false } }

    /// The write that has the permit begins to change rows before its closure has ended.
    ///
    /// The driver has committed the batch before, so that no waiter depends on this write.
    mutating func beginExclusive() {
        guard case .idle = transaction else {
            preconditionFailure("A write took the transaction before the batch was committed.")
        }
        transaction = .exclusive
    }

    /// The changes of the write that has the permit are rolled back.
    mutating func endExclusive() {
        if case .exclusive = transaction { transaction = .idle }
    }

    /// A write was merged; call while holding the connection, so that no commit comes between.
    ///
    /// - Parameters:
    ///   - waiter: What is resumed by the commit; `nil` if the write returns at once.
    ///   - needsSync: Whether the waiter needs a sync too.
    ///   - othersWait: Whether another write is queued.
    ///   - delay: How the caller can delay the commit. Unless it has to commit now, it asks
    ///     ``beginDelay(_:)`` whether to do so.
    mutating func merge(
        _ waiter: Waiter?, needsSync: Bool, othersWait: Bool, delay: CommitDelay = .never
    ) -> Action {
        var batch = if case .batch(let batch) = transaction { batch } else { Batch() }
        // The lists of waiters have one owner, and are not copied when they grow.
        transaction = .idle
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
        return nextAction(
            batch, othersWait: othersWait || waits(delay, awaited: batch.awaited))
    }

    /// Merges a write that waits for its commit alone, and takes the batch, if there is no other
    /// write to share the commit with.
    ///
    /// The caller commits the batch at once. Call while holding the connection.
    ///
    /// - Returns: The batch, or `nil` where the write has to be merged with a waiter.
    mutating func mergeLone(othersWait: Bool, delay: CommitDelay) -> Batch? {
        if case .batch = transaction { return nil }
        guard !othersWait, !waits(delay, awaited: 1) else { return nil }
        merged += 1
        transaction = .idle
        batches += 1
        isCommitting = true
        return Batch(count: 1, isLone: true)
    }

    /// Whether a write delays its commit, which is one of a number that wait for it.
    private func waits(_ delay: CommitDelay, awaited: Int) -> Bool {
        switch delay {
        case .never: false
        case .toExpected: awaited < expectedSiblings
        case .toAll:
            expectedSiblings > 1
                || commits % Self.soloProbeInterval == Self.soloProbeInterval - 1
        }
    }

    /// Whether a write that was merged without a commit delays it, and calls
    /// ``delayEnded(since:othersWait:_:)`` then; `false` where it leaves that to another one.
    mutating func beginDelay(_ delay: CommitDelay) -> Bool {
        switch delay {
        case .never: return false
        case .toExpected: return true
        case .toAll:
            defer { isDelayed = true }
            return !isDelayed
        }
    }

    /// Whether the open batch has as many waiters as were expected.
    var isComplete: Bool {
        guard case .batch(let batch) = transaction else { return true }
        return batch.awaited >= expectedSiblings
    }

    /// The delay of a write that has left the commit to its siblings has ended.
    ///
    /// - Parameters:
    ///   - number: What ``batches`` was when the write was merged. If another batch is open now, its
    ///     own writes commit it.
    ///   - othersWait: Whether another write has the permit or is queued.
    ///   - delay: How the write has delayed its commit.
    mutating func delayEnded(since number: Int, othersWait: Bool, _ delay: CommitDelay) -> Action {
        guard case .batch(let batch) = transaction, batch.isAwaited, number == batches else {
            return .none
        }
        // Where another write has the permit, that one decides, or delays the commit in its turn.
        isDelayed = false
        // A task has seen that no others are about to join, so that the next sync need not wait for its
        // commit. A thread looks for a moment only, and would commit too often beside a sync.
        if delay == .toAll, !othersWait { return .commit }
        return nextAction(batch, othersWait: othersWait)
    }

    /// A closure may have seen what is merged but not committed: reads that begin after it has returned
    /// must not see less.
    ///
    /// Call before its permit is released: it has not seen what is merged afterwards.
    mutating func hasRead() {
        if hasBatch || isCommitting { hasReturnedWrites = true }
    }

    /// A permit was released without a merge.
    mutating func permitReleased(othersWait: Bool) -> Action {
        guard case .batch(let batch) = transaction else { return .none }
        return nextAction(batch, othersWait: othersWait)
    }

    /// The interval has passed.
    mutating func wokeUp() -> Action {
        isWakeUpDue = false
        if case .batch = transaction { return .commit }
        return .none
    }

    /// Takes the open batch for committing; call while holding the connection.
    mutating func takeBatch() -> Batch? {
        guard case .batch(let batch) = transaction else { return nil }
        transaction = .idle
        isDelayed = false
        batches += 1
        isCommitting = true
        return batch
    }

    /// The batch could not be committed, and was rolled back.
    mutating func failed(_ batch: Batch, _ error: any Error) {
        isCommitting = false
        failedBatchCount += 1
        hasReturnedWrites = false
        if batch.returned > 0 { unreportedFailure = error }
    }

    /// Why writes that had returned were rolled back since the last flush; `nil` if none was.
    mutating func takeUnreportedFailure() -> (any Error)? {
        defer { unreportedFailure = nil }
        return unreportedFailure
    }

    /// The batch was committed.
    ///
    /// - Parameter inLine: How many writes are queued.
    mutating func committed(_ batch: Batch, inLine: Int = 0) {
        expectedSiblings = batch.awaited + inLine
        commits += 1
        committed += batch.count
        isCommitting = false
        hasReturnedWrites = false
        if !batch.awaitingSync.isEmpty { unsynced += batch.awaitingSync }
    }

    /// A transaction without a batch was committed.
    mutating func committedAlone() {
        merged += 1
        committed += 1
    }

    /// Whether everything that was merged is known to survive the loss of power.
    ///
    /// Writes whose batch has failed count as merged: the WAL may hold a part of their commit.
    var isDurable: Bool { failure == nil && durable == merged }

    /// Adds a waiter for the sync of everything that is committed.
    mutating func awaitSync(_ waiter: Waiter) { unsynced.append(waiter) }

    /// Whether a sync is running or waited for.
    var isSyncAwaited: Bool { isSyncing || !unsynced.isEmpty }

    /// Takes the waiters for a sync, if none is running.
    mutating func beginSync() -> Sync {
        guard !isSyncing, !unsynced.isEmpty else { return .none }
        defer { unsynced = [] }
        if let failure { return .refuse(unsynced, failure) }
        isSyncing = true
        syncing = committed
        return .run(unsynced)
    }

    /// A sync has ended; returns whether there are waiters for the next one, committed or not.
    ///
    /// - Parameters:
    ///   - served: How many waiters it had.
    ///   - inLine: How many writes are queued.
    mutating func endSync(_ error: StoreError?, served: Int = 0, inLine: Int = 0) -> Bool {
        isSyncing = false
        expectedSiblings = served + inLine
        if let error { fail(error) } else { durable = syncing }
        guard case .batch(let batch) = transaction else { return !unsynced.isEmpty }
        expectedSiblings += batch.awaited
        return !unsynced.isEmpty || !batch.awaitingSync.isEmpty
    }

    /// The disk may hold less than was written to it; returns `false` if that was known.
    @discardableResult
    mutating func fail(_ error: StoreError) -> Bool {
        guard failure == nil else { return false }
        failure = error
        hasFailed = true
        return true
    }

    /// Plans a checkpoint, which the caller makes; returns `false` if one is planned.
    mutating func planCheckpoint() -> Bool {
        guard !isCheckpointPlanned, failure == nil else { return false }
        isCheckpointPlanned = true
        return true
    }

    /// The planned checkpoint was made, or found impossible.
    mutating func checkpointEnded() { isCheckpointPlanned = false }

    private mutating func nextAction(_ batch: Batch, othersWait: Bool) -> Action {
        // Waiters for a sync have to wait for the end of the one that is running, whose driver
        // commits for them.
        let isUrgent = !batch.awaitingCommit.isEmpty || (batch.isAwaited && !isSyncing)
        if isUrgent, !othersWait { return .commit }
        guard !isWakeUpDue else { return .none }
        isWakeUpDue = true
        return .wakeLater
    }
}
