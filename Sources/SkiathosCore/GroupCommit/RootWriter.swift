import Dispatch
import Locks
import SkiathosStore
import Synchronization

/// The only thing that writes to the store: merges units of work into the open batch, one at a
/// time, and commits the batch.
///
/// Two things are held. The *turn* belongs to one write from the beginning of its closure to its
/// merge; whoever calls ``perform(_:_:_:)`` has it. The *connection* is held only while
/// changes are applied, a query of the closure runs, or the batch is committed, so a batch can be
/// committed while a closure computes. A sync needs neither. `CommitStateMachine` decides when.
final class RootWriter: Sendable {
    /// From how many changed objects on a write has a transaction of its own.
    ///
    /// Until it is applied nobody has to wait for it: what was merged before is committed then.
    static let largeChange = 1000

    typealias State = CommitStateMachine<CommitWaiter>

    let store: any PersistentStore
    let reportFailure: @Sendable (BackgroundFailure) -> Void
    private let interval: DispatchTimeInterval
    /// Changed while the connection is held, apart from `wokeUp` and `turnEnded`.
    let state: Lock<State>
    /// Limits are changed while the connection is held.
    let allocator: Lock<IDAllocator>
    /// Raised when writes that are under way must come to nothing.
    let stop = CancellationFlag()
    /// Commits and syncs that no caller makes himself.
    let background = DispatchQueue(label: "skiathos.commits")
    /// Checkpoints, which wait for syncs.
    let maintenance = DispatchQueue(label: "skiathos.checkpoints")
    /// Grants the write permit; entered and left by `RootWriter+Permit.swift` alone, but for reads of
    /// a store with one connection.
    let permits: AdmissionGate
    /// Whether reads have connections of their own.
    let connections: ConnectionMode
    let metrics: StoreMetrics?
    /// What the entities ask for, by position.
    let traits: [EntityTraits]
    /// What deletions lead to.
    let rules: DeleteRules
    /// Brings what was committed to those who listen.
    let changes: CommitNotifier
    /// The rows that reads keep; none where reads see what is merged, or others may write.
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

    /// What became of a unit of work.
    struct Merge {
        /// Whether it changed anything.
        let isMerged: Bool
        /// Where its acknowledgement has to be waited for.
        let waiter: CommitWaiter?
        /// The number of the batch, if its commit was left to writes that are expected:
        /// ``delayEnded(since:callerSyncs:)`` has to be called when they had a moment to come.
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
    /// When this throws, nothing of its changes remains.
    func perform(
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
            undoExclusive()
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
            committed = act(action, session, callerSyncs: level == .durable)
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

    /// Commits what those that were expected have not committed.
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

    /// Makes sure that a read which begins now sees every write that has returned.
    func commitForRead() throws {
        guard state.withLock({ $0.hasReturnedWrites }) else { return }
        // If they cannot be committed they are lost, which was reported; the read goes on.
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
    /// Nobody has the turn or will get it, but writes may still wait for their sync.
    func finish() throws {
        store.writer.willClose()
        let committed = Result {
            try store.writer.withSession { session in _ = try commitBatch(session)?.get() }
        }
        if state.withLock({ $0.isSyncAwaited }) {
            let synced = syncBarrier()
            syncAwaited()
            // A failure is thrown by closing, too.
            try? synced.awaitAcknowledgement()
        }
        // Whatever is under way in the background finds an open store.
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

    /// Returns whom the caller has to tell that they are committed.
    private func act(
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

    /// Commits what came during a sync, and syncs again, after those that the sync has served had a
    /// moment to come back.
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
                committed = act(.commit, session, callerSyncs: callerSyncs)
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
