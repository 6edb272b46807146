import Dispatch
import Locks
import SkiathosStore
import Synchronization

/// The open batch of one store: collects merged writes, commits and syncs them together, and
/// publishes what was committed to the main context.
///
/// `CommitStateMachine` decides when to commit and when to sync; this class reports each event to it
/// and does what it has decided. The writing connection is held while changes are applied and while
/// the batch is committed. A sync needs neither the connection nor the write permit.
final class GroupCommit: Sendable {
    typealias State = CommitStateMachine<CommitWaiter>

    /// What changes with the open batch.
    private struct Batching {
        /// Changed while the connection is held, apart from `wokeUp`, `delayEnded` and
        /// `permitReleased`.
        var machine: State { didSet { published.publish(machine.hasReturnedWrites) } }
        /// Its limits are changed while the connection is held.
        var allocator: IDAllocator
        /// What the writes of the batch have changed that returned before their commit; changed while
        /// the connection is held.
        var returned = MergedRows()
        /// What the machine says of returned writes.
        let published: ReturnedWrites
    }

    /// Held for moments; of other code, only `markIncomplete(_:)` of the main context is called under it.
    private let batching: Lock<Batching>
    private let returnedWrites = ReturnedWrites()
    let store: any PersistentStore
    let main: MainContext
    /// The queue for the write permit, which is only asked for its length here.
    let permits: AdmissionGate
    let interval: DispatchTimeInterval
    let metrics: StoreMetrics?
    /// Logs statements; `nil` unless that was asked for.
    let statements: StatementLogger?
    let reportFailure: @Sendable (BackgroundFailure) -> Void
    // Jobs of these queues hold this object, not weakly: every read and write retains it, and a weak
    // reference makes each retain and release ten times as dear. A job that runs after the store
    // was released finds that everything is committed.
    /// Commits and syncs that no caller makes.
    let background = DispatchQueue(label: "skiathos.commits")
    /// Checkpoints, which wait for syncs.
    let maintenance = DispatchQueue(label: "skiathos.checkpoints")

    init(
        store: any PersistentStore, main: MainContext, permits: AdmissionGate,
        configuration: Configuration, metrics: StoreMetrics?, statements: StatementLogger?
    ) throws {
        self.store = store
        self.main = main
        self.permits = permits
        self.metrics = metrics
        self.statements = statements
        reportFailure = configuration.errorHandler
        interval = .nanoseconds(configuration.commitInterval.nanoseconds)
        let sequences = try store.writer.withSession { session in
            try store.schema.entities.enumerated().map { position, entity in
                IDSequence(highest: entity.hasIntegerID ? try session.highestID(of: position) : 0)
            }
        }
        batching = Lock(
            Batching(
                machine: CommitStateMachine(limit: configuration.maximumBatchSize),
                allocator: IDAllocator(sequences), published: returnedWrites))
    }

    /// The one door to the state machine: reports an event, and returns what the machine has
    /// decided.
    func advance<Decision>(_ event: (inout State) -> Decision) -> Decision {
        batching.withLock { event(&$0.machine) }
    }

    /// How many writes wait for the permit.
    var queuedWrites: Int { permits.waitingCount }

    /// How many batches have failed, and the IDs that are allocated: what a write begins with.
    var start: (failedBatches: Int, ids: [IDSequence]) {
        batching.withLock { ($0.machine.failedBatchCount, $0.allocator.sequences) }
    }

    /// How many batches have failed.
    var failedBatchCount: Int { advance { $0.failedBatchCount } }

    /// How many batches were committed.
    var commitCount: Int { advance { $0.commits } }

    /// Whether merged writes wait for their commit.
    var hasBatch: Bool { advance { $0.hasBatch } }

    /// Whether a read has to see the open batch.
    var hasReturnedWrites: Bool { returnedWrites.areAny }

    /// Why nothing counts as durable any more, once that is so.
    var failure: StoreError? { advance { $0.failure } }

    /// Whether everything that was merged is known to survive the loss of power.
    var isDurable: Bool { advance { $0.isDurable } }

    /// Adds an observer of later commits; returns whether the store is still open.
    ///
    /// If a batch is already open, the observer is marked: its next notification may be
    /// incomplete. A merge marks the batch before it reads the interest, and this reads the
    /// batch after the interest was published, so one of them sees the other.
    func listen(_ listener: any ChangeListener) -> Bool {
        guard main.add(listener) else { return false }
        advance { if $0.hasBatch || $0.isCommitting { main.markIncomplete(listener) } }
        return true
    }

    /// What the state machine has decided with a merge.
    struct Merged {
        let action: State.Action
        /// The number of the batch, if its commit was left to expected siblings:
        /// ``delayEnded(since:callerSyncs:)`` has to be called after a delay.
        let delayedBatch: Int?
    }

    /// Adds a write, whose changes lie in the open transaction, to the open batch; called while
    /// the connection is held.
    ///
    /// The caller does what this returns: the state machine counts on a wake-up that it has asked for.
    ///
    /// - Parameters:
    ///   - waiter: What is resumed by the commit; `nil` if the write returns at once.
    ///   - isCrowded: Whether other writes are queued, so that the commit may be left to them.
    func merge(
        _ journal: WriteJournal, _ ids: [IDSequence], _ waiter: CommitWaiter?, needsSync: Bool,
        isCrowded: Bool, delay: State.CommitDelay
    ) -> Merged {
        let (action, batch) = batching.withLock { batching in
            batching.allocator.merge(ids)
            if let rows = journal.merged { batching.returned.add(rows) }
            let action = batching.machine.merge(
                waiter, needsSync: needsSync, othersWait: isCrowded, delay: delay)
            return (action, batching.machine.batches)
        }
        main.merged(journal)
        let isDelayed = delay != .never && waiter != nil && !isCrowded && action != .commit
        return Merged(action: action, delayedBatch: isDelayed ? batch : nil)
    }

    /// Applies changes to the batch: all of them, or none if it throws.
    ///
    /// Called while the connection is held.
    func applyToBatch(
        _ session: any StoreWriteSession, _ apply: () throws -> Void
    ) throws {
        // The first write of a batch needs no savepoint: nothing else is in the transaction.
        let isFirst = !session.isInTransaction
        if isFirst { try begin(session) }
        do {
            if !isFirst { try session.openSavepoint() }
            try apply()
            if !isFirst { try session.releaseSavepoint() }
        } catch {
            if isFirst { rollback(session) } else { undoApplication(error, session) }
            throw error
        }
    }

    private func undoApplication(_ error: any Error, _ session: any StoreWriteSession) {
        if session.isInTransaction {
            do {
                return try session.rollbackSavepoint()
            } catch {
                // The batch cannot be separated from the failed changes.
            }
        }
        // SQLite has rolled everything back, the writes that were merged before included.
        if let batch = advance({ $0.takeBatch() }) { fail(batch, error, session) }
    }

    /// The limits of IDs that the open transaction holds.
    var limits: [Int64] { batching.withLock { $0.allocator.limits } }

    /// Copies these limits into the IDs of a write.
    func copyLimits(to ids: inout [IDSequence]) {
        batching.withLock { $0.allocator.copyLimits(to: &ids) }
    }

    /// Records the IDs that a write was given, which are final whether it is committed or not.
    func recordUsed(_ ids: [IDSequence]) { batching.withLock { $0.allocator.recordUsed(ids) } }

    /// Opens a transaction for the write that has the permit alone, since it changes rows before its
    /// closure has ended; returns the limits of IDs that the store holds.
    func beginExclusive(_ session: any StoreWriteSession) throws -> [Int64] {
        commitBatch(session)
        try begin(session)
        return batching.withLock { batching in
            batching.machine.beginExclusive()
            return batching.allocator.limits
        }
    }

    /// Rolls back the transaction of the write that has the permit.
    func endExclusive(_ session: any StoreWriteSession) {
        rollback(session)
        advance { $0.endExclusive() }
    }

    /// Rolls back the transaction of the write that has the permit, if it has one of its own.
    func rollbackExclusive() {
        guard advance({ $0.isExclusive }) else { return }
        do {
            try store.writer.withSession { session in endExclusive(session) }
        } catch {
            reportFailure(BackgroundFailure(operation: .rollback, error: error))
        }
    }

    /// Commits a transaction that no write has merged, and which may have changed any row; the
    /// caller has the permit.
    ///
    /// - Parameter body: Changes rows, and returns the highest ID of each entity whose rows came from
    ///   elsewhere.
    func commitAlone(_ body: (any StoreWriteSession) throws -> [Int64]) throws {
        try store.writer.withSession { session in
            commitBatch(session)
            let before: UInt64?
            do {
                try begin(session)
                let highest = try body(session)
                if !highest.isEmpty { try recordUsed(highest: highest, session) }
                before = try commit(session)
            } catch {
                rollback(session)
                batching.withLock { $0.allocator.rollback() }
                throw error
            }
            batching.withLock { batching in
                batching.machine.committedAlone()
                batching.allocator.commit()
            }
            main.merged(.everything)
            main.advance(from: before, to: session.committedVersion)
            checkpointIfDue(session)
        }
    }

    private func recordUsed(highest: [Int64], _ session: any StoreWriteSession) throws {
        let limits = batching.withLock { $0.allocator.recordUsed(highest: highest) }
        try session.apply(limits.map { .reserveIDs(entity: $0.entity, upTo: $0.limit) })
    }

    func begin(_ session: any StoreWriteSession) throws {
        do {
            try session.begin()
        } catch let error as StoreError where error.code == .interference {
            advance { _ = $0.fail(error) }
            throw error
        }
    }

    func rollback(_ session: any StoreWriteSession) {
        do {
            try session.rollback()
        } catch {
            reportFailure(BackgroundFailure(operation: .rollback, error: error))
        }
    }

    /// The batch was committed, and the limits of IDs with it.
    func committed(_ batch: State.Batch, queued: Int) {
        // Released after the lock.
        let returned = batching.withLock { batching -> MergedRows? in
            batching.allocator.commit()
            batching.machine.committed(batch, inLine: queued)
            guard batch.returned > 0 else { return nil }
            defer { batching.returned = MergedRows() }
            return batching.returned
        }
        withExtendedLifetime(returned) {}
    }

    /// The batch was rolled back, and the limits of IDs with it; returns what the writes had changed
    /// that have returned.
    func failed(_ batch: State.Batch, _ error: any Error) -> MergedRows {
        batching.withLock { batching in
            batching.allocator.rollback()
            batching.machine.failed(batch, error)
            defer { batching.returned = MergedRows() }
            return batching.returned
        }
    }

    /// The limits of IDs that are higher than needed, with what would do.
    var unusedIDs: [(entity: Int, highest: Int64)] { batching.withLock { $0.allocator.unused } }
}
