import SkiathosStore

/// The root writer of a store: merges the units of work of worker contexts into the open batch, one
/// at a time, and commits the batch.
///
/// A write holds the *permit* from the beginning of its closure to its merge. The *connection* is
/// held only while changes are applied, a query of the closure runs, or the batch is committed. So a
/// batch can be committed while a closure computes. A sync needs neither.
final class RootWriter: Sendable {
    /// The number of changed objects above which a write has a transaction of its own.
    ///
    /// The open batch is committed before that, so that no waiter depends on the large write.
    static let largeChange = 1000

    let store: any PersistentStore
    /// Whether the store was opened for reading only.
    private let isReadOnly: Bool
    /// What reads see, to which each commit is published.
    let main: MainContext
    /// The open batch, its commits, syncs and checkpoints.
    let commits: GroupCommit
    /// The context of writes.
    private let worker: WorkerSlot
    /// Set when the deadline of a shutdown has passed: running closures are rolled back.
    let stop: CancellationFlag
    /// Grants the write permit; entered and left by `RootWriter+Permit.swift` alone, but for reads of
    /// a store with one connection.
    let permits: AdmissionGate
    /// Whether reads have connections of their own.
    let connections: ConnectionMode
    /// The hooks, validations and keys of the entities, by position.
    let traits: [EntityTraits]

    init(
        store: any PersistentStore, main: MainContext, permits: AdmissionGate,
        stop: CancellationFlag, traits: [EntityTraits], configuration: Configuration,
        metrics: StoreMetrics?, statements: StatementLogger?
    ) throws {
        self.store = store
        isReadOnly = store.isReadOnly
        self.main = main
        self.permits = permits
        self.stop = stop
        self.traits = traits
        connections = ConnectionMode(store.readers.count)
        commits = try GroupCommit(
            store: store, main: main, permits: permits, configuration: configuration,
            metrics: metrics, statements: statements)
        worker = WorkerSlot(
            WriteTransaction.Environment(
                commits: commits, writer: store.writer, main: main, stop: stop,
                schema: store.schema, traits: traits, rules: DeleteRules(store.schema)))
    }

    /// Runs a closure as a unit of work and merges it.
    ///
    /// When this throws, its changes are rolled back.
    func runWrite(
        _ interruption: Interruption?, _ level: Acknowledgement,
        delay: GroupCommit.State.CommitDelay,
        _ body: (WriteContext) throws -> Void
    ) throws -> PendingAcknowledgement {
        try requireWritable(level)
        return try withContext(interruption, isMerged: !level.awaitsCommit) { context in
            try body(context)
            return try merge(context, level, delay)
        }
    }

    /// Runs a closure with the context of a write, and rolls back what it has flushed to the store if
    /// it throws.
    ///
    /// - Parameter isMerged: Whether the write returns before its commit.
    @inline(__always)
    func withContext(
        _ interruption: Interruption?, isMerged: Bool,
        _ body: (WriteContext) throws -> PendingAcknowledgement
    ) throws -> PendingAcknowledgement {
        try worker.write(interruption, isMerged: isMerged) { context in
            do {
                try interruption?.begin(store.writer)
                return try body(context)
            } catch {
                commits.rollbackExclusive()
                throw stop.cause(of: error, Cancellation(interruption))
            }
        }
    }

    /// Merges a unit of work into the open batch, and commits that if the state machine says so.
    private func merge(
        _ context: WriteContext, _ level: Acknowledgement, _ delay: GroupCommit.State.CommitDelay
    ) throws -> PendingAcknowledgement {
        var merged: PendingAcknowledgement?
        try context.finish { session in
            merged = context.transaction.merge(&context.journal, level, delay, session)
        }
        if let merged { return merged }
        if level.awaitsCommit { try commitObservedWrites(context) }
        return PendingAcknowledgement()
    }

    /// Commits what a write without changes may have seen, since its caller relies on that.
    func commitObservedWrites(_ context: WriteContext) throws {
        try commits.commitObservedWrites()
        try context.transaction.requireSameVersion()
    }

    /// Deletes every row; the caller has the permit.
    ///
    /// IDs that were allocated stay allocated.
    func reset() throws {
        try requireWritable(.committed)
        try commits.commitAlone { session in
            try session.deleteEverything()
            return []
        }
    }

    /// Refuses a write before its closure runs.
    ///
    /// In a store that is read only that holds for each one, even if it would change nothing:
    /// whether it works must not depend on what it finds. After a failure of the disk it holds for
    /// those that could not be acknowledged.
    func requireWritable(_ level: Acknowledgement) throws {
        guard !isReadOnly else {
            throw StoreError(
                .readOnly,
                "The store was opened for reading only. Open it without Configuration.isReadOnly to write."
            )
        }
        guard commits.hasFailed, let failure = commits.failure else { return }
        if level.awaitsSync || failure.code == .interference { throw failure }
    }
}
