import SkiathosStore

/// The store side of one write: the writer's connection, its part of the open transaction, and
/// its IDs.
///
/// Not `Sendable`: the thread that runs the closure of the write guards every field.
@usableFromInline
final class WriteTransaction {
    private enum Stage {
        /// The changes join the open batch when the write ends. Exits: ``exclusive`` when one of
        /// them has to be in the store earlier; ``ended``.
        case joining
        /// The open transaction holds the changes of this write alone. Exits: ``joining`` when they
        /// are rolled back; ``ended``.
        case exclusive
        /// The closure of the write has returned. No exit.
        case ended
    }

    /// The parts of the store that a write uses, which are the same for all writes.
    struct Environment {
        let commits: GroupCommit
        let writer: any StoreWriter
        let main: MainContext
        let stop: CancellationFlag
        let schema: StoreSchema
        /// The traits of the entities, by position.
        let traits: [EntityTraits]
        /// The rules of deletions.
        let rules: DeleteRules
    }

    private let environment: Environment
    // Exclusive access to these is not checked at run time: each is only read and set as a whole,
    // or changed by code that calls nothing which could lead back here.
    @exclusivity(unchecked) private var interruption: Interruption?
    /// How many batches had failed when the write began.
    @exclusivity(unchecked) private var failedBatches = 0
    @exclusivity(unchecked) private var stage = Stage.ended
    /// Whether the connection is lent to a closure as the backend's own library knows it.
    private(set) var isLent = false
    /// Counts the queries; `nil` without a budget.
    @exclusivity(unchecked) var meter: BudgetMeter?
    /// The allocation of integer IDs, by the position of the entity.
    @exclusivity(unchecked) @usableFromInline var ids: [IDSequence] = []
    /// Which version of the allocator's sequences they are; a negative one at first.
    @exclusivity(unchecked) private var idVersion = -1
    /// Whether the allocator knows what is in them.
    @exclusivity(unchecked) private var areIDsRecorded = true

    init(_ environment: Environment) { self.environment = environment }

    /// Begins a write.
    func begin(_ interruption: Interruption?) {
        self.interruption = interruption
        failedBatches = environment.commits.start(&ids, &idVersion)
        areIDsRecorded = false
        stage = .joining
    }

    /// Whether the closure of the write is running.
    var isOpen: Bool { stage != .ended }

    /// Whether the open transaction belongs to this write alone.
    var isExclusive: Bool { stage == .exclusive }

    /// Ends the use of the store; every later call throws.
    func end() {
        // IDs are final, whatever becomes of what they were allocated for.
        if !areIDsRecorded { environment.commits.recordUsed(ids) }
        stage = .ended
        if interruption != nil { interruption = nil }
        if meter != nil { meter = nil }
    }

    /// Throws if the write has ended, was cancelled or shut down, or has lent its connection.
    private func requireUsable() throws {
        guard stage != .ended else { throw DataAccessError.contextEnded("write") }
        // The connection waits for the end of that closure, and this would wait for it.
        guard !isLent else { throw DataAccessError.connectionIsLent }
        try interruption?.check()
        try environment.stop.check()
    }

    private func requireUsable(_ session: any StoreWriteSession) throws {
        // After a full disk or an interruption the store may have rolled back the transaction
        // by itself. A closure that swallowed that error must not continue outside of a
        // transaction.
        guard stage != .exclusive || session.isInTransaction else {
            throw DataAccessError(
                .transactionLost,
                "The store undid this write after an earlier error, which the closure caught. Let that error leave the closure."
            )
        }
        try requireSameVersion()
    }

    /// Throws if writes that this one may have seen could not be committed.
    func requireSameVersion() throws {
        guard environment.commits.failedBatchCount == failedBatches else {
            throw Self.earlierWritesFailed()
        }
    }

    private static func earlierWritesFailed() -> DataAccessError {
        DataAccessError(
            .transactionLost,
            "The writes before this one could not be committed, and this one may have relied on them. Run it again."
        )
    }

    /// Runs a closure with the connection.
    func withSession<R>(_ body: (any StoreWriteSession) throws -> R) throws -> R {
        try requireUsable()
        return try environment.writer.withSession { session in
            try requireUsable(session)
            do {
                guard let meter else { return try body(session) }
                return try session.metering(meter) { try body(session) }
            } catch {
                if stage == .joining { environment.commits.statementFailed(error, session) }
                throw error
            }
        }
    }

    /// Runs the end of a write with the connection: makes sure that all references hold, and hands
    /// the write to the root writer.
    ///
    /// - Parameters:
    ///   - apply: Applies the remaining changes, unless the transaction is the write's own.
    ///   - insert: Does so without a savepoint, if there is nothing but a new row.
    ///   - merged: Merges the write.
    func finish(
        _ apply: (any StoreWriteSession) throws -> Void,
        orAlone insert: (any StoreWriteSession) throws -> LoneInsertion,
        _ merged: (any StoreWriteSession) -> Void
    ) throws {
        try requireUsable()
        guard stage == .joining else { return try applyAndMerge(apply, insert, merged) }
        try environment.commits.joiningBatch { try applyAndMerge(apply, insert, merged) }
    }

    private func applyAndMerge(
        _ apply: (any StoreWriteSession) throws -> Void,
        _ insert: (any StoreWriteSession) throws -> LoneInsertion,
        _ merged: (any StoreWriteSession) -> Void
    ) throws {
        try environment.writer.withSession { (session: any StoreWriteSession) -> Void in
            if let meter {
                try session.metering(meter) { try applyRemaining(apply, insert, session) }
            } else {
                try applyRemaining(apply, insert, session)
            }
            merged(session)
        }
    }

    private func applyRemaining(
        _ apply: (any StoreWriteSession) throws -> Void,
        _ insert: (any StoreWriteSession) throws -> LoneInsertion,
        _ session: any StoreWriteSession
    ) throws {
        guard stage == .joining else {
            try requireUsable(session)
            return try session.checkReferences()
        }
        let commits = environment.commits
        guard commits.join(&ids, &idVersion) == failedBatches else {
            throw Self.earlierWritesFailed()
        }
        let isFirst = !session.isInTransaction
        if !isFirst, try commits.insertAlone(session, insert) { return }
        try commits.beginApplying(isFirst: isFirst, session)
        do {
            try apply(session)
            try session.checkReferences()
            try commits.endApplying(isFirst: isFirst, session)
        } catch {
            commits.undoApplying(isFirst: isFirst, error, session)
            throw error
        }
    }

    /// Merges the write into the open batch; called while the connection is held.
    func merge(
        _ journal: inout WriteJournal, _ level: Acknowledgement,
        _ delay: GroupCommit.State.CommitDelay, _ session: any StoreWriteSession
    ) -> PendingAcknowledgement {
        areIDsRecorded = true
        return environment.commits.merge(&journal, ids, level, delay, session)
    }

    /// Runs a query, which may take long.
    func query<R>(_ body: (any StoreSession) throws -> R) throws -> R {
        try withSession { session in
            // Reads that must see acknowledged writes would wait for the end of the query.
            if stage == .joining {
                environment.commits.commitAcknowledgedWrites(session)
                try requireSameVersion()
            }
            return try body(session)
        }
    }

    /// Lends the connection to a closure as the backend's own library knows it.
    func lending<R>(_ body: () throws -> R) rethrows -> R {
        isLent = true
        defer { isLent = false }
        return try body()
    }

    /// Acquires the open transaction for this write alone, after committing the open batch.
    func beginExclusive(_ session: any StoreWriteSession) throws {
        guard stage == .joining else { return }
        limits = try environment.commits.beginExclusive(session)
        stage = .exclusive
        try requireSameVersion()
    }

    /// Rolls back what the write has flushed to the store; IDs that were allocated stay
    /// allocated.
    func rollBack() throws {
        try withSession { session in
            guard stage == .exclusive else { return }
            environment.commits.endExclusive(session)
            stage = .joining
        }
        limits = environment.commits.limits
    }

    /// Forbids interruptions from here on: interrupting a statement that writes can also roll
    /// back the writes that were merged before.
    func settle() throws { try interruption?.settle() }

    /// The limits of IDs that the store holds.
    var limits: [Int64] {
        get { ids.map(\.reserved) }
        set { for (index, limit) in newValue.enumerated() { ids[index].reserved = limit } }
    }

    /// A context that reads what the open transaction holds.
    func reader(of session: any StoreSession) -> ReadContext {
        let view = ReadContext(schema: schema, stop: environment.stop, caches: nil)
        view.begin(session, Cancellation(interruption))
        return view
    }
}

/// The fixed properties of the store that a write uses.
extension WriteTransaction {
    var schema: StoreSchema { environment.schema }
    /// The traits of the entities, by position.
    var traits: [EntityTraits] { environment.traits }
    /// The rules of deletions.
    var rules: DeleteRules { environment.rules }
    /// The entities whose changes are observed, and those whose rows are.
    var interest: (entities: EntityMask, rows: EntityMask) { environment.main.interest }
}
