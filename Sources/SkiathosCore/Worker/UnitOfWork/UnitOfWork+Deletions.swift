import SkiathosStore

extension UnitOfWork {
    /// Records the deletion of an object that others may refer to.
    @usableFromInline
    func recordDeletion(of object: Managed<E>) {
        // No row refers to an ID that cannot be stored.
        guard let id = try? StoreValue(object.current.id, Coding.of(E.ID.self)) else { return }
        context.addDeletion(of: RowKey(entity: entity, id: id))
    }

    /// Applies the rules of pending deletions to all pending objects.
    func applyDeletions() throws {
        guard !context.references(of: entity).isEmpty else { return }
        // A rule that deletes a pending object adds none.
        for object in pending { try applyDeletions(to: object) }
    }

    /// Adds the pending objects, by the rows that they refer to.
    func addReferrers(to referrers: inout PendingReferrers) throws {
        for reference in context.references(of: entity) {
            for object in pending where !object.state.contains(.deleted) {
                let target = try object.current.storedValue(at: reference.column)
                guard target != .null else { continue }
                referrers.add(RowKey(entity: reference.target, id: target)) {
                    try self.applyDeletions(to: object)
                }
            }
        }
    }

    /// Whether it has pending objects that are not deleted.
    var hasLivingPending: Bool { pending.contains { !$0.state.contains(.deleted) } }

    /// Applies to an object the rules of the deletions since it was last set.
    func applyDeletions(to object: Managed<E>) throws {
        guard !object.state.contains(.deleted) else { return }
        for reference in context.references(of: entity) {
            let target = try object.current.storedValue(at: reference.column)
            let key = RowKey(entity: reference.target, id: target)
            guard let moment = context.deletions.moments[key], moment > object.stamp else {
                continue
            }
            switch reference.rule {
            case .cascade: return try remove(object, at: moment)
            case .nullify: try clear(reference.column, of: object, from: target)
            case .deny: break
            }
        }
    }

    /// Deletes an object with the row that it refers to.
    private func remove(_ object: Managed<E>, at moment: UInt32) throws {
        context.scopes.last?.remember(object)
        object.state.insert(.deleted)
        enlist(object)
        guard isReferredTo else { return }
        let id = try StoreValue(object.current.id, Coding.of(E.ID.self))
        context.addDeletion(of: RowKey(entity: entity, id: id), at: moment)
    }

    /// Clears a reference of an object, as the store clears that of its row.
    private func clear(
        _ column: Int, of object: Managed<E>, from target: StoreValue
    ) throws {
        context.scopes.last?.remember(object)
        let old = object.current
        object.current = try old.clearing(column)
        guard object.state.contains(.stored) else { return }
        guard let applied = object.applied else {
            return try capture(old, object.current)
        }
        guard try applied.storedValue(at: column) == target else { return }
        let cleared = try applied.clearing(column)
        object.applied = cleared
        try capture(applied, cleared)
    }

    /// Saves the references to which an object was moved before deletions, if it is about to
    /// be moved again.
    func keepMove(of object: Managed<E>) {
        guard object.state.contains(.stored), object.state.contains(.pending),
            object.baseline != nil
        else { return }
        let moved = object.unappliedColumns.intersection(ColumnSet(E.schema.referenceColumns))
        guard !moved.isEmpty else { return }
        movedColumns[ObjectIdentifier(object), default: []].formUnion(moved)
        let copy = Managed(object.current, of: self)
        moves.append(
            PendingChanges.Update(
                columns: moved,
                rows: ObjectRows(objects: [copy], columns: moved, isInsertion: false)
            ))
    }

    /// Whether the object with an ID has changes that are not in the open transaction.
    func hasPending(_ id: StoreValue) throws -> Bool {
        let id = try ValueRow([id]).read { try E.RawID(row: $0, column: 0) }
        return map[id]?.state.contains(.pending) ?? false
    }
}

extension Entity {
    func storedValue(at column: Int) throws -> StoreValue {
        try StoreValue.capture { try bind(column, to: $0, at: 0) }
    }

    /// The same value with a column cleared.
    fileprivate func clearing(_ column: Int) throws -> Self {
        var values = try storedValues()
        values[column] = .null
        return try ValueRow(values).read { try Self(row: $0) }
    }
}
