import Dispatch
import SkiathosLocks
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
    /// Held while a write joins the batch: the interruption of a statement that writes would roll back
    /// the writes that were merged before, too.
    private let joining = Lock(())
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
    /// Whether a job of that queue has not begun which syncs; set by ``syncInBackground()`` alone.
    let isSyncDue = Atomic(false)
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

    /// Runs the end of a write, which no shutdown interrupts.
    func joiningBatch(_ body: () throws -> Void) throws { try joining.withLock { _ in try body() } }

    /// Interrupts the statement that the closure of a write runs; does nothing while a write joins the
    /// batch, which is a matter of moments.
    func interruptClosure() {
        _ = joining.withLockIfAvailable { _ in store.writer.interrupt() }
    }

    /// The one door to the state machine: reports an event, and returns what the machine has
    /// decided.
    func advance<Decision>(_ event: (inout State) -> Decision) -> Decision {
        batching.withLock { event(&$0.machine) }
    }

    /// How many writes wait for the permit.
    var queuedWrites: Int { permits.waitingCount }

    /// Copies the IDs that are allocated to a write that begins, unless it has them; returns how
    /// many batches have failed.
    func start(_ ids: inout [IDSequence], _ version: inout Int) -> Int {
        batching.withLock { batching in
            batching.allocator.copy(to: &ids, &version)
            return batching.machine.failedBatchCount
        }
    }

    /// Copies the limits of IDs that the open transaction holds to a write that is about to join
    /// it; returns how many batches have failed.
    ///
    /// Called while the connection is held, so that the limits stay what they are until the merge.
    func join(_ ids: inout [IDSequence], _ version: inout Int) -> Int {
        batching.withLock { batching in
            batching.allocator.copyLimits(to: &ids, &version)
            return batching.machine.failedBatchCount
        }
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

    /// Whether nothing counts as durable any more.
    var hasFailed: Bool { advance { $0.hasFailed } }

    /// Whether everything that was merged is known to survive the loss of power.
    var isDurable: Bool { advance { $0.isDurable } }

    /// Adds a feed of later commits; returns whether the store is still open.
    ///
    /// If a batch is already open, the feed is marked: its next changeset may be incomplete.
    func add(_ feed: ChangeBuffer) -> Bool {
        guard main.add(feed) else { return false }
        if isBatchOpen { main.markIncomplete(feed) }
        return true
    }

    /// Whether a batch is open or being committed, of which an observer that was added before may
    /// miss changes.
    ///
    /// A merge marks the batch before it reads the interest, and this reads the batch after the
    /// interest was published, so one of them sees the other.
    var isBatchOpen: Bool { advance { $0.hasBatch || $0.isCommitting } }

    /// Adds a write, whose changes lie in the open transaction, to the open batch, and commits the
    /// batch if the state machine says so; called while the connection is held.
    ///
    /// - Parameter delay: How the caller can delay the commit.
    /// - Returns: What the caller waits for after it has released the permit.
    func merge(
        _ journal: inout WriteJournal, _ ids: [IDSequence], _ level: Acknowledgement,
        _ delay: State.CommitDelay, _ session: any StoreWriteSession
    ) -> PendingAcknowledgement {
        let isCrowded = queuedWrites > 0
        var pending = PendingAcknowledgement(isMerged: true)
        if level == .committed, let batch = mergeLone(&journal, ids, isCrowded, delay) {
            pending.failure = commit(batch, session)?.reported
            return pending
        }
        pending.awaitsSync = level.awaitsSync
        if level.awaitsCommit { pending.waiter = CommitWaiter() }
        let (action, batch) = merge(
            &journal, ids, pending.waiter, needsSync: level.awaitsSync, isCrowded: isCrowded,
            delay: delay)
        pending.delayedBatch = batch
        pending.committed = run(action, session, callerSyncs: level.awaitsSync)
        return pending
    }

    /// Adds a write that needs no waiter, and takes the batch of it, if its commit is left to no
    /// other write.
    private func mergeLone(
        _ journal: inout WriteJournal, _ ids: [IDSequence], _ isCrowded: Bool,
        _ delay: State.CommitDelay
    ) -> State.Batch? {
        let batch = batching.withLock { batching -> State.Batch? in
            let batch = batching.machine.mergeLone(othersWait: isCrowded, delay: delay)
            if batch != nil { batching.allocator.merge(ids) }
            return batch
        }
        if batch != nil { journal.publish(to: main) }
        return batch
    }

    /// Adds a write, whose changes lie in the open transaction, to the open batch; called while
    /// the connection is held.
    ///
    /// The caller does what this returns: the state machine counts on a wake-up that it has asked for.
    ///
    /// - Parameters:
    ///   - waiter: What is resumed by the commit; `nil` if the write returns at once.
    ///   - isCrowded: Whether other writes are queued, so that the commit may be left to them.
    /// - Returns: What the state machine has decided, and the number of the batch if the write delays
    ///   its commit.
    func merge(
        _ journal: inout WriteJournal, _ ids: [IDSequence], _ waiter: CommitWaiter?,
        needsSync: Bool, isCrowded: Bool, delay: State.CommitDelay
    ) -> (action: State.Action, delayedBatch: Int?) {
        let merged = batching.withLock { batching -> (State.Action, Int?) in
            batching.allocator.merge(ids)
            journal.addMerged(to: &batching.returned)
            let action = batching.machine.merge(
                waiter, needsSync: needsSync, othersWait: isCrowded, delay: delay)
            guard waiter != nil, !isCrowded, action != .commit, batching.machine.beginDelay(delay)
            else { return (action, nil) }
            return (action, batching.machine.batches)
        }
        journal.publish(to: main)
        return merged
    }

    /// The limits of IDs that the open transaction holds.
    var limits: [Int64] { batching.withLock { $0.allocator.limits } }

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
            do {
                try begin(session)
                let highest = try body(session)
                if !highest.isEmpty { try recordUsed(highest: highest, session) }
                main.willChangeAnyRow()
                try commit(session)
                main.willAdvance()
            } catch {
                rollback(session)
                batching.withLock { $0.allocator.rollback() }
                throw error
            }
            batching.withLock { batching in
                batching.machine.committedAlone()
                batching.allocator.commit()
            }
            main.changedAnyRow()
            main.advance(to: session.committedVersion)
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
