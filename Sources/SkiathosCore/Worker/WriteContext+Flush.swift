import SkiathosStore

extension WriteContext {
    var hasPendingChanges: Bool { units.contains { ($0?.pendingCount ?? 0) > 0 } }

    /// Flushes the pending changes of all entities to the open transaction.
    ///
    /// While hooks run it does nothing: what they find pending is not complete yet.
    ///
    /// - Parameter areObjectsStale: Whether rows have changed of which objects do not know yet.
    func flush(areObjectsStale: Bool = false) throws {
        guard isOpen else { throw DataAccessError.contextEnded("write") }
        guard !preparation.isRunning, hasPendingChanges else { return }
        try deletions.throwFailure()
        try applyDeletions()
        if registry.needsPreparation { try prepareFlush() }
        try flushPrepared(areObjectsStale)
    }

    private func flushPrepared(_ areObjectsStale: Bool) throws {
        try withSession { session in
            try transaction.beginExclusive(session)
            try applyDeletions(in: session)
            try holdConsequences(in: session)
            var stale = StaleRows(of: [])
            try applyChanges(
                to: session, onFailure: .sessionRollsBack, areObjectsStale: areObjectsStale
            ) { entities, apply in
                stale = try findingStaleRows(of: entities, in: session, apply)
            }
            for unit in units { unit?.didFlush() }
            forgetDeletions()
            try refresh(stale, in: session)
        }
    }

    /// Applies the pending changes of all objects.
    ///
    /// - Parameters:
    ///   - recovery: Whether a failure may leave partial changes.
    ///   - areObjectsStale: Whether rows have changed of which objects do not know yet.
    ///   - around: Runs the steps; `entities` are those of which the rules of deletions may change rows.
    private func applyChanges(
        to session: any StoreWriteSession, onFailure recovery: FailureRecovery,
        areObjectsStale: Bool = false,
        around: (_ entities: Set<Int>, _ apply: () throws -> Void) throws -> Void = { try $1() }
    ) throws {
        let interest = transaction.interest
        flushRecord.begin(interest.rows)
        let plan = try FlushPlan(
            units: units, schema: schema, rules: transaction.rules, sequences: transaction.ids,
            deletions: deletions)
        // Of these entities the objects do not know all changes, or not all values.
        let inexact = areObjectsStale ? Set(units.indices) : plan.touchedByDeletion
        var step: RecordedStep?
        try around(plan.touchedByDeletion) {
            if inexact.isEmpty || interest.entities.isEmpty {
                try session.apply(plan.steps, onFailure: recovery)
            } else {
                step = try recording(inexact, for: interest, in: session) {
                    try session.apply(plan.steps, onFailure: recovery)
                }
            }
        }
        for reservation in plan.reservations {
            transaction.ids[reservation.entity].reserved = reservation.limit
        }
        try journal.add(plan, of: units, observing: interest, flushRecord.take(), step)
        loadGroups?.forgetValues(changedBy: plan.steps, touching: plan.touchedByDeletion)
    }

    /// Flushes the remaining changes to the batch and makes sure that all references hold.
    ///
    /// Cancelling has no effect once the remaining changes are being merged: interrupting a
    /// statement that writes can also roll back the writes that were merged before.
    ///
    /// - Parameter merged: Called while the connection is held, if there were any changes.
    /// - Returns: Whether there were.
    @discardableResult
    func finish(_ merged: (any StoreWriteSession) -> Void) throws -> Bool {
        guard isOpen else { throw DataAccessError.contextEnded("write") }
        try deletions.throwFailure()
        try applyDeletions()
        if registry.needsPreparation { try prepareFlush() }
        let pending = registry.pending
        if pending.count > 0, transaction.isExclusive || pending.count > RootWriter.largeChange {
            try withSession { session in
                try transaction.beginExclusive(session)
                try applyDeletions(in: session)
                // The objects' own state need not follow: the write has no use for them any more.
                try applyChanges(to: session, onFailure: .callerRollsBack)
            }
        }
        try transaction.settle()
        guard pending.count > 0 || transaction.isExclusive else { return false }
        try transaction.finish(
            { session in
                try applyDeletions(in: session)
                if try !applyInsertions(of: pending.unit, in: session) {
                    try applyChanges(to: session, onFailure: .callerRollsBack)
                }
            }, orAlone: { try insertAlone(pending, in: $0) }, merged)
        return true
    }

    /// Inserts the only pending object in a way that needs no savepoint, if the row is all that the
    /// write changes.
    private func insertAlone(
        _ pending: UnitRegistry.Pending, in session: any StoreWriteSession
    ) throws -> LoneInsertion {
        guard pending.count == 1, let unit = pending.unit, needsNoPlan,
            transaction.ids[unit.entity].limitToReserve == nil
        else { return .notOffered }
        let interest = transaction.interest
        flushRecord.begin(interest.rows)
        let insertion = try unit.insertAlone(in: session)
        if case .inserted = insertion {
            journal.addInsertions(of: unit.entity, observing: interest, flushRecord.take())
        }
        return insertion
    }

    /// Whether nothing but the store and observers needs to know of rows that are inserted.
    private var needsNoPlan: Bool {
        !hasDeletions && !journal.isCapturing && loadGroups == nil
    }

    /// Applies the pending changes without a plan, if they only insert rows of one entity, and no
    /// load group needs to know of them; returns whether it did.
    ///
    /// So small writes, most of which do just that, do not copy the steps of a plan.
    ///
    /// - Parameter unit: The only unit with pending objects, if it is only one.
    private func applyInsertions(
        of unit: (any AnyUnitOfWork)?, in session: any StoreWriteSession
    ) throws -> Bool {
        guard let unit, needsNoPlan else { return false }
        let interest = transaction.interest
        flushRecord.begin(interest.rows)
        guard try unit.insertPending(in: session) else { return false }
        let entity = unit.entity
        if let limit = transaction.ids[entity].limitToReserve {
            try session.apply(
                [.reserveIDs(entity: entity, upTo: limit)], onFailure: .callerRollsBack)
            transaction.ids[entity].reserved = limit
        }
        journal.addInsertions(of: entity, observing: interest, flushRecord.take())
        return true
    }
}
