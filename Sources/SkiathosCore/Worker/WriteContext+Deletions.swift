import SkiathosStore

extension WriteContext {
    private var rules: DeleteRules { transaction.rules }

    @usableFromInline
    func isReferredTo(_ entity: Int) -> Bool { rules.isReferredTo[entity] }

    func references(of entity: Int) -> [DeleteRules.Reference] { rules.references[entity] }

    /// Records the deletion of a row that others may refer to, at a moment of its own.
    func addDeletion(of key: RowKey) {
        let moment = deletions.nextMoment()
        addDeletion(of: key, at: moment)
        for entity in rules.affected[key.entity] { units[entity]?.moment = moment }
    }

    /// Records the deletion of a row that is deleted with another one.
    func addDeletion(of key: RowKey, at moment: UInt32) {
        deletions.add(key, at: moment, affecting: rules.affected[key.entity])
    }

    /// Removes the deletions, which are in the open transaction by now or were rolled back.
    func forgetDeletions() {
        guard hasDeletions else { return }
        deletions.removeAll()
    }

    /// Flushes if a pending deletion may have changed or deleted rows of an entity.
    @usableFromInline
    func settleDeletions(affecting entity: Int) throws {
        if deletions.affected.contains(entity) { try flush() }
    }

    /// Applies the rules of pending deletions to pending objects, also to those that refer to rows
    /// which are deleted with other rows.
    ///
    /// - Parameter session: The connection, to look up which rows of the store these are; without
    ///   one, only objects are looked at.
    func applyDeletions(in session: (any StoreSession)? = nil) throws {
        guard hasDeletions else { return }
        let known = deletions.keys.count
        for entity in deletions.affected { try units[entity]?.applyDeletions() }
        var spread = DeletionSpread(from: known)
        try spread.applyNewDeletions(in: self)
        guard let session, deletions.hasUnvisited else { return }
        let living = Set(units.compactMap { $0?.hasLivingPending ?? false ? $0?.entity : nil })
        while try addConsequences(for: living, in: session) {
            try spread.applyNewDeletions(in: self)
        }
    }

    /// Applies the rules of pending deletions to pending objects before one of them is set again.
    func findConsequences() throws {
        // The pending changes of a closure with a lent connection were flushed before.
        guard hasDeletions, !transaction.isLent, deletions.hasUnvisited else { return }
        try withSession { session in
            try transaction.beginExclusive(session)
            try applyDeletions(in: session)
        }
    }

    /// Runs the work of a setter, which cannot throw; the next flush throws its error.
    func deferFailure(_ body: () throws -> Void) {
        do { try body() } catch { deletions.recordFailure(error) }
    }

    /// Looks up the rows that are deleted with other rows, where a pending object may refer to
    /// them.
    ///
    /// - Parameter living: The entities with pending objects that are not deleted.
    /// - Returns: Whether any new row was found.
    private func addConsequences(
        for living: Set<Int>, in session: any StoreSession
    ) throws -> Bool {
        var isFound = false
        for (target, rows) in Dictionary(grouping: deletions.visit(), by: { $0.entity }) {
            for reference in rules.referrers[target]
            where reference.rule == .cascade
                && !rules.affected[reference.entity].isDisjoint(with: living)
            {
                if try addRows(with: reference, to: rows, in: session) { isFound = true }
            }
        }
        return isFound
    }

    private func addRows(
        with reference: DeleteRules.Reference, to targets: [RowKey], in session: any StoreSession
    ) throws -> Bool {
        let rows = FetchRequest(
            entity: reference.entity,
            predicate: .contained(.column(reference.column), targets.map(\.id)))
        let request = ProjectionRequest([.column(0), .column(reference.column)], of: rows)
        let columns = schema.entities[reference.entity].columns
        var isFound = false
        try session.metering(nil) {
            try session.fetch(request) { cursor in
                while cursor.next() {
                    let id = cursor.row.storedValue(columns[0].storage, at: 0)
                    let target = cursor.row.storedValue(columns[reference.column].storage, at: 1)
                    let key = RowKey(entity: reference.entity, id: id)
                    guard !deletions.contains(key),
                        let moment = deletions.moments[
                            RowKey(entity: reference.target, id: target)],
                        // A pending object itself knows its target.
                        try units[reference.entity]?.hasPending(id) != true
                    else { continue }
                    addDeletion(of: key, at: moment)
                    isFound = true
                }
            }
        }
        return isFound
    }
}
