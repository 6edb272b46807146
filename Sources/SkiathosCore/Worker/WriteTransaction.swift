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

    private let root: RootWriter
    private let interruption: Interruption?
    /// How many batches had failed when the write began.
    private let failedBatches: Int
    private var stage = Stage.joining
    /// Whether the connection is lent to a closure as the backend's own library knows it.
    private(set) var isLent = false
    /// Counts the queries; `nil` without a budget.
    var meter: BudgetMeter?
    /// The allocation of integer IDs, by the position of the entity.
    @exclusivity(unchecked) @usableFromInline var ids: [IDSequence]

    init(_ root: RootWriter, _ interruption: Interruption?) {
        self.root = root
        self.interruption = interruption
        (failedBatches, ids) = root.commits.start
    }

    /// Whether the closure of the write is running.
    var isOpen: Bool { stage != .ended }

    /// Whether the open transaction belongs to this write alone.
    var isExclusive: Bool { stage == .exclusive }

    /// Ends the use of the store; every later call throws.
    func end() { stage = .ended }

    /// Throws if the write has ended, was cancelled or shut down, or has lent its connection.
    private func requireUsable() throws {
        guard stage != .ended else { throw DataAccessError.contextEnded("write") }
        // The connection waits for the end of that closure, and this would wait for it.
        guard !isLent else { throw DataAccessError.connectionIsLent }
        try interruption?.check()
        try root.stop.check()
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
        guard root.commits.failedBatchCount == failedBatches else {
            throw DataAccessError(
                .transactionLost,
                "The writes before this one could not be committed, and this one may have relied on them. Run it again."
            )
        }
    }

    /// Runs a closure with the connection.
    func withSession<R>(_ body: (any StoreWriteSession) throws -> R) throws -> R {
        try requireUsable()
        return try root.store.writer.withSession { session in
            try requireUsable(session)
            guard let meter else { return try body(session) }
            return try session.metering(meter) { try body(session) }
        }
    }

    /// Like `withSession(_:)` with a result, for the end of every write.
    func withSession(_ body: (any StoreWriteSession) throws -> Void) throws {
        try requireUsable()
        try root.store.writer.withSession { (session: any StoreWriteSession) -> Void in
            try requireUsable(session)
            guard let meter else { return try body(session) }
            try session.metering(meter) { try body(session) }
        }
    }

    /// Runs a query, which may take long.
    func query<R>(_ body: (any StoreSession) throws -> R) throws -> R {
        try withSession { session in
            // Reads that must see acknowledged writes would wait for the end of the query.
            if stage == .joining {
                root.commits.commitAcknowledgedWrites(session)
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
        limits = try root.commits.beginExclusive(session)
        stage = .exclusive
        try requireSameVersion()
    }

    /// Rolls back what the write has flushed to the store; IDs that were allocated stay
    /// allocated.
    func rollBack() throws {
        try withSession { session in
            guard stage == .exclusive else { return }
            root.commits.endExclusive(session)
            stage = .joining
        }
        limits = root.commits.limits
    }

    /// Forbids interruptions from here on: interrupting a statement that writes can also roll
    /// back the writes that were merged before.
    func settle() throws { try interruption?.settle() }

    /// Ends the write: merges its remaining changes into the open batch, unless the
    /// transaction is its own, and makes sure that all references hold.
    ///
    /// - Parameters:
    ///   - apply: Applies the changes; `nil` if there are none.
    ///   - merged: Called while the connection is held, if the write has changed anything.
    /// - Returns: Whether it has.
    func merge(
        _ apply: ((any StoreWriteSession) throws -> Void)?,
        _ merged: (any StoreWriteSession) -> Void
    ) throws -> Bool {
        guard stage == .exclusive || apply != nil else { return false }
        try withSession { session in
            if let apply, stage == .joining {
                try root.commits.applyToBatch(session) {
                    root.commits.copyLimits(to: &ids)
                    try apply(session)
                    try session.checkReferences()
                }
            } else {
                try session.checkReferences()
            }
            merged(session)
        }
        return true
    }

    /// The limits of IDs that the store holds.
    var limits: [Int64] {
        get { ids.map(\.reserved) }
        set { for (index, limit) in newValue.enumerated() { ids[index].reserved = limit } }
    }

    /// A context that reads what the open transaction holds.
    func reader(of session: any StoreSession) -> ReadContext {
        let view = ReadContext(schema: root.store.schema, stop: root.stop, caches: nil)
        view.begin(session, interruption)
        return view
    }
}

/// The fixed properties of the store that a write uses.
extension WriteTransaction {
    var schema: StoreSchema { root.store.schema }
    /// The traits of the entities, by position.
    var traits: [EntityTraits] { root.traits }
    /// The rules of deletions.
    var rules: DeleteRules { root.rules }
    /// The entities whose changes are observed, and those whose rows are.
    var interest: (entities: EntityMask, rows: EntityMask) {
        root.main.interest
    }
}
