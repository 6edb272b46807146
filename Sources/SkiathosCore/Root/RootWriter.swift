import Dispatch
import Locks
import SkiathosStore
import Synchronization

/// The only owner of the writing connection: merges the units of work of worker contexts into the
/// open batch, one at a time, and commits the batch.
///
/// A write holds the *permit* from the beginning of its closure to its merge. The *connection* is
/// held only while changes are applied, a query of the closure runs, or the batch is committed. So a
/// batch can be committed while a closure computes. A sync needs neither. `CommitStateMachine`
/// decides when to commit and sync.
final class RootWriter: Sendable {
    /// The number of changed objects above which a write has a transaction of its own.
    ///
    /// The open batch is committed before that, so that no waiter depends on the large write.
    static let largeChange = 1000

    typealias State = CommitStateMachine<CommitWaiter>

    let store: any PersistentStore
    let reportFailure: @Sendable (BackgroundFailure) -> Void
    private let interval: DispatchTimeInterval
    /// Changed while the connection is held, apart from `wokeUp` and `turnEnded`.
    let state: Lock<State>
    /// Limits are changed while the connection is held.
    let allocator: Lock<IDAllocator>
    /// Set when the deadline of a shutdown has passed: running closures are rolled back.
    let stop = CancellationFlag()
    /// Commits and syncs that no caller makes.
    let background = DispatchQueue(label: "skiathos.commits")
    /// Checkpoints, which wait for syncs.
    let maintenance = DispatchQueue(label: "skiathos.checkpoints")
    /// Grants the write permit; entered and left by `RootWriter+Permit.swift` alone, but for reads of
    /// a store with one connection.
    let permits: AdmissionGate
    /// Whether reads have connections of their own.
    let connections: ConnectionMode
    let metrics: StoreMetrics?
    /// The hooks, validations and keys of the entities, by position.
    let traits: [EntityTraits]
    /// The rules of deletions.
    let rules: DeleteRules
    /// Notifies observers of commits.
    let changes: CommitNotifier
    /// The row caches of reads; `nil` where reads see what is merged, or other programs may write.
    let caches: RowCaches?

    init(
        store: any PersistentStore, traits: [EntityTraits], configuration: Configuration,
        metrics: StoreMetrics?, completions: DispatchGroup
    ) throws {
        self.metrics = metrics
        self.store = store
        self.traits = traits
        connections = ConnectionMode(store.readers.count)
        permits = AdmissionGate(
            capacity: 1, jobLimit: configuration.maximumWaitingWrites, label: "skiathos.writes",
            patience: configuration.shutdownDeadline, metrics: metrics?.writeQueue)
        rules = DeleteRules(store.schema)
        changes = CommitNotifier(
            traits, completions: completions, isBatchVisible: connections == .single)
        caches = try RowCaches(for: store, limit: configuration.rowCacheLimit)
        reportFailure = configuration.errorHandler
        interval = .nanoseconds(configuration.commitInterval.nanoseconds)
        state = Lock(CommitStateMachine(limit: configuration.maximumBatchSize))
        allocator = Lock(
            IDAllocator(
                try store.writer.withSession { session in
                    try store.schema.entities.enumerated().map { position, entity in
                        IDSequence(
                            highest: entity.hasIntegerID ? try session.highestID(of: position) : 0)
                    }
                }))
    }

    /// The result of merging a unit of work.
    struct Merge {
        /// Whether it changed anything.
        let isMerged: Bool
        /// What is resumed by its acknowledgement; `nil` if the write returns at once.
        let waiter: CommitWaiter?
        /// The number of the batch, if its commit was left to expected siblings:
        /// ``delayEnded(since:callerSyncs:)`` has to be called after a delay.
        let delayedBatch: Int?
        /// The writes that were committed with it.
        let committed: [CommitWaiter]

        /// Resumes the writes that were committed with it; called after the permit was released, so
        /// that their next writes do not find it taken.
        func resumeCommitted() {
            for waiter in committed { waiter.acknowledge(.success(())) }
        }
    }

    /// Runs a closure as a unit of work and merges it.
    ///
    /// When this throws, its changes are rolled back.
    func runWrite(
        _ interruption: Interruption?, _ level: Acknowledgement, delay: State.CommitDelay,
        _ body: (WriteContext) throws -> Void
    ) throws -> Merge {
        try requireWritable(level)
        return try withContext(interruption) { context in
            try body(context)
            return try merge(context, level, delay)
        }
    }

    /// Runs a closure with the context of a write, and rolls back what it has brought to the store if
    /// it throws.
    func withContext<R>(
        _ interruption: Interruption?, _ body: (WriteContext) throws -> R
    ) throws -> R {
        let transaction = WriteTransaction(self, interruption)
        let context = WriteContext(transaction)
        defer {
            // IDs are final, whatever becomes of what they were handed out for.
            allocator.withLock { $0.recordUsed(transaction.ids) }
            context.end()
        }
        do {
            try interruption?.begin(store.writer)
            return try body(context)
        } catch {
            rollbackExclusive()
            throw stop.cause(of: error, interruption)
        }
    }

    /// Merges a unit of work into the open batch, and commits that if the state machine says so.
    private func merge(
        _ context: WriteContext, _ level: Acknowledgement, _ delay: State.CommitDelay
    ) throws -> Merge {
        let waiter = level == .merged ? nil : CommitWaiter()
        var delayedBatch: Int?
        var committed: [CommitWaiter] = []
        let isMerged = try context.finish { session in
            let isCrowded = queuedWrites > 0
            let (action, batch) = record(
                context, waiter, needsSync: level == .durable, othersWait: isCrowded, delay)
            if delay != .never, waiter != nil, !isCrowded, action != .commit {
                delayedBatch = batch
            }
            committed = run(action, session, callerSyncs: level == .durable)
        }
        guard isMerged else {
            if level > .merged { try commitObservedWrites(context) }
            return Merge(isMerged: false, waiter: nil, delayedBatch: nil, committed: [])
        }
        return Merge(
            isMerged: true, waiter: waiter, delayedBatch: delayedBatch, committed: committed)
    }

    /// Adds a unit of work, whose changes lie in the open transaction, to the open batch; called while
    /// the connection is held.
    ///
    /// - Returns: What is to be done now, and the number of the batch.
    func record(
        _ context: WriteContext, _ waiter: CommitWaiter?, needsSync: Bool, othersWait: Bool,
        _ delay: State.CommitDelay
    ) -> (State.Action, batch: Int) {
        allocator.withLock { $0.merge(context.transaction.ids) }
        let next = state.withLock { state in
            let action = state.merge(
                waiter, needsSync: needsSync, othersWait: othersWait, delay: delay)
            return (action, state.batches)
        }
        changes.merged(context.journal.record)
        caches?.merged(context.journal.evictions)
        return next
    }

    /// Commits the open batch if its waiters relied on the holder of a permit that was released
    /// without a merge.
    func permitReleased(hasRead: Bool, othersWait: Bool) {
        switch state.withLock({ $0.turnEnded(othersWait: othersWait, hasRead: hasRead) }) {
        case .commit: commitInBackground()
        case .wakeLater: wakeLater()
        case .none: break
        }
    }

    /// Commits the batch unless the expected siblings have done so.
    ///
    /// - Parameters:
    ///   - batch: The number of the batch that was left to them.
    ///   - callerSyncs: Whether the caller will call ``syncAwaited()``.
    func delayEnded(since batch: Int, callerSyncs: Bool) {
        let isOccupied = permits.isOccupied
        switch state.withLock({ $0.delayEnded(since: batch, othersWait: isOccupied) }) {
        case .commit: commitOpenBatch(callerSyncs: callerSyncs)
        case .wakeLater: wakeLater()
        case .none: break
        }
    }

    /// Commits the open batch if a read which begins now has to see it.
    func commitForRead() throws {
        guard state.withLock({ $0.hasReturnedWrites }) else { return }
        // A failed commit was reported; the read sees the version before it.
        try store.writer.withSession { session in _ = commitBatch(session) }
    }

    /// Deletes every row.
    ///
    /// IDs that were handed out stay so.
    func reset() throws {
        try requireWritable(.committed)
        try store.writer.withSession { session in
            _ = commitBatch(session)
            do {
                try begin(session)
                try session.deleteEverything()
                try commit(session, changing: .everything)
                state.withLock { $0.committedAlone() }
            } catch {
                rollback(session)
                throw error
            }
            changes.merged(.everything)
            changes.committed()
            checkpointIfDue(session)
        }
    }

    /// Whether everything that was merged is known to survive the loss of power.
    var isDurable: Bool { state.withLock { $0.isDurable } }

    /// Commits everything that was merged; returns where to wait if it shall be synced too.
    func flush(to level: Acknowledgement) throws -> CommitWaiter? {
        guard level > .merged, !store.isReadOnly else { return nil }
        try store.writer.withSession { session in
            _ = commitBatch(session, callerSyncs: level == .durable)
        }
        if let loss = state.withLock({ $0.takeUnreportedFailure() }) { throw loss }
        return level == .durable ? syncBarrier() : nil
    }

    /// Commits what is left and lowers the limits of IDs to what was used, so that no ID is
    /// skipped by closing.
    ///
    /// Called when the permit is held by the closing, while writes may still wait for a sync.
    func finish() throws {
        store.writer.willClose()
        let committed = Result {
            try store.writer.withSession { session in _ = try commitBatch(session)?.get() }
        }
        if state.withLock({ $0.isSyncAwaited }) {
            let synced = syncBarrier()
            syncAwaited()
            // Closing throws a failure, too.
            try? synced.awaitAcknowledgement()
        }
        // Background work that is running finds an open store.
        maintenance.sync {}
        do {
            try returnUnusedIDs()
        } catch {
            // Closing does without a checkpoint where another program is in the way.
            let synced = syncBarrier()
            syncAwaited()
            try? synced.awaitAcknowledgement()
            throw error
        }
        try committed.get()
    }

    private func returnUnusedIDs() throws {
        let unused = allocator.withLock { $0.unused }
        guard !unused.isEmpty, !store.isReadOnly, state.withLock({ $0.failure == nil }) else {
            return
        }
        try store.writer.withSession { session in
            var attempts = 0
            while true {
                do {
                    try session.begin()
                    try session.apply(
                        unused.map { .reserveIDs(entity: $0.entity, upTo: $0.highest) })
                    return try commit(session)
                } catch let error as StoreError where error.code == .interrupted && attempts < 16 {
                    // It was meant for a statement of a write or a read.
                    rollback(session)
                    attempts += 1
                } catch {
                    rollback(session)
                    throw error
                }
            }
        }
    }

    /// Refuses a write before its closure runs.
    ///
    /// In a store that is read only that holds for each one, even if it would change nothing:
    /// whether it works must not depend on what it finds. After a failure of the disk it holds for
    /// those that could not be acknowledged.
    func requireWritable(_ level: Acknowledgement) throws {
        guard !store.isReadOnly else {
            throw StoreError(
                .readOnly,
                "The store was opened for reading only. Open it without Configuration.isReadOnly to write."
            )
        }
        guard let failure = state.withLock({ $0.failure }) else { return }
        if level == .durable || failure.code == .interference { throw failure }
    }

    /// Does what the state machine has decided; returns the waiters that the caller has to resume.
    private func run(
        _ action: State.Action, _ session: any StoreWriteSession, callerSyncs: Bool
    ) -> [CommitWaiter] {
        switch action {
        case .commit:
            if case .success(let committed) = commitWithoutResuming(
                session, callerSyncs: callerSyncs)
            {
                return committed
            }
        case .wakeLater: wakeLater()
        case .none: break
        }
        return []
    }

    private func wakeLater() {
        // A store that is released meanwhile has committed everything.
        background.asyncAfter(deadline: .now() + interval) { [weak self] in
            guard let self, self.state.withLock({ $0.wokeUp() }) == .commit else { return }
            self.commitAndSync()
        }
    }

    private func commitInBackground() {
        background.async { [weak self] in self?.commitAndSync() }
    }

    /// Commits what was merged during a sync, and syncs again, after the writes that the sync has
    /// resumed had a moment to come back.
    func commitAndSyncInBackground() {
        background.async { [weak self] in
            guard let self else { return }
            BriefWait.wait { self.state.withLock { $0.isComplete } }
            commitAndSync()
        }
    }

    private func commitAndSync() {
        commitOpenBatch(callerSyncs: true)
        syncAwaited()
    }

    private func commitOpenBatch(callerSyncs: Bool) {
        do {
            var committed: [CommitWaiter] = []
            try store.writer.withSession { (session: any StoreWriteSession) -> Void in
                committed = run(.commit, session, callerSyncs: callerSyncs)
            }
            for waiter in committed { waiter.acknowledge(.success(())) }
        } catch {
            // A store that was closed meanwhile has committed everything.
            if state.withLock({ $0.hasBatch }) {
                reportFailure(BackgroundFailure(operation: .commit, error: error))
            }
        }
    }
}
