import SkiathosStore

extension WriteContext {
    var hasPendingChanges: Bool { units.contains { ($0?.pendingCount ?? 0) > 0 } }

    /// Flushes the pending changes of all entities to the open transaction.
    ///
    /// While hooks run it does nothing: what they find pending is not complete yet.
    func flush() throws {
        guard isOpen else { throw DataAccessError.contextEnded("write") }
        guard !preparation.isRunning, hasPendingChanges else { return }
        try deletions.throwFailure()
        try applyDeletions()
        if registry.needsPreparation { try prepareFlush() }
        try flushPrepared()
    }

    private func flushPrepared() throws {
        try withSession { session in
            try transaction.beginExclusive(session)
            try applyDeletions(in: session)
            try holdConsequences(in: session)
            try bringChanges(in: session)
        }
    }

    private func bringChanges(in session: any StoreWriteSession) throws {
        let touched = try applyChanges { try session.apply($0) }
        for unit in units { unit?.didFlush() }
        forgetDeletions()
        try refresh(touched, in: session)
    }

    /// Returns the entities whose objects the rules of deletions may have changed.
    private func applyChanges(_ apply: ([StoreChange]) throws -> Void) throws -> Set<Int> {
        let plan = try FlushPlan(
            units: units, schema: schema, sequences: transaction.ids, deletions: deletions)
        try apply(plan.steps)
        for reservation in plan.reservations {
            transaction.ids[reservation.entity].reserved = reservation.limit
        }
        try journal.add(plan, of: units, observing: transaction.interest)
        loadGroups?.forgetValues(changedBy: plan.steps, touching: plan.touchedByDeletion)
        return plan.touchedByDeletion
    }

    /// Flushes the remaining changes to the batch and makes sure that all references hold.
    ///
    /// Cancelling has no effect once the remaining changes are being merged: interrupting a
    /// statement that writes can also roll back the writes that were merged before.
    ///
    /// - Parameter merged: Called while the connection is held, if there were any changes.
    /// - Returns: Whether there were.
    func finish(_ merged: (any StoreWriteSession) -> Void) throws -> Bool {
        guard isOpen else { throw DataAccessError.contextEnded("write") }
        try deletions.throwFailure()
        try applyDeletions()
        if registry.needsPreparation { try prepareFlush() }
        var pending = 0
        for case let unit? in units { pending += unit.pendingCount }
        if pending > 0, transaction.isExclusive || pending > RootWriter.largeChange {
            try withSession { session in
                try transaction.beginExclusive(session)
                try applyDeletions(in: session)
                // The objects' own state need not follow: the write has no use for them any more.
                _ = try applyChanges { try session.apply($0, onFailure: .callerRollsBack) }
            }
        }
        try transaction.settle()
        let apply: ((any StoreWriteSession) throws -> Void)? =
            pending == 0
            ? nil
            : { session in
                try self.applyDeletions(in: session)
                _ = try self.applyChanges { try session.apply($0, onFailure: .callerRollsBack) }
            }
        return try transaction.merge(apply, merged)
    }

    /// Releases all objects; every further use of the context is an error.
    func end() {
        transaction.end()
        for unit in units { unit?.end() }
        registry = UnitRegistry(entityCount: 0)
        if isNested { scopes = NestedScopes() }
        loadGroups?.removeAll()
    }

    func refresh(_ entities: Set<Int>, in session: any StoreSession) throws {
        // The closure of the write did not ask for these rows, so they count against no
        // budget.
        try session.metering(nil) {
            for entity in entities { try units[entity]?.refresh(in: session, isUndo: false) }
        }
    }
}
