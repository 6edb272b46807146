import SkiathosStore

/// A unit of work without its type, as the write context keeps one for each entity.
protocol AnyUnitOfWork: AnyObject {
    var pendingCount: Int { get }
    /// Sorts the pending objects by what has to be done about them.
    func pendingChanges() throws -> PendingChanges
    /// Called when all pending changes lie in the open transaction.
    func didFlush()
    /// Takes all objects off the list of the next flush, when a nested scope is undone.
    func forgetPending()
    /// Brings all held objects to what the open transaction holds.
    func refresh(in session: any StoreSession) throws
    /// Runs the hooks that are due, and returns whether there were any.
    func runHooks() throws -> Bool
    /// Forgets which hooks have run.
    func forgetHooks()
    /// Validates the pending objects.
    func validatePending(into failures: inout ValidationFailures)
    /// Adds what is pending to a record of changes, and is in the open transaction by now.
    func recordPending(in record: inout ChangeRecord)
    /// Lets go of all objects.
    func end()
}

/// What one entity's pending objects come to, as steps for the store.
struct PendingChanges {
    var deletion: StoreChange?
    /// Updates by the set of columns that they change.
    var updates: [(columns: ColumnSet, rows: any ObjectSource)] = []
    var insertion: StoreChange?
}

/// Rows made of objects, of which some columns can be left out.
protocol ObjectSource: RowSource {
    /// The same rows with fewer columns.
    func limited(to columns: ColumnSet) -> any RowSource
}

/// Objects as rows: some of their columns, followed by their ID if it is not the first.
private struct ObjectRows<E: Entity>: ObjectSource {
    let objects: [Managed<E>]
    let columns: ColumnSet
    let isInsertion: Bool

    func limited(to columns: ColumnSet) -> any RowSource {
        ObjectRows(objects: objects, columns: columns, isInsertion: isInsertion)
    }

    func sendRows(to sink: inout RowSink) throws {
        try E.sendRows(objects, columns: columns, followedByID: !isInsertion, to: &sink)
    }

    func sendIDs(to sink: inout RowSink) throws {
        try E.sendRows(objects, columns: [], followedByID: true, to: &sink)
    }
}

extension UnitOfWork: AnyUnitOfWork {
    var pendingCount: Int { pending.count }

    func pendingChanges() throws -> PendingChanges {
        var deleted: [Managed<E>] = []
        var inserted: [Managed<E>] = []
        var updated: [ColumnSet: [Managed<E>]] = [:]
        for object in pending {
            let state = object.state
            if state.contains(.deleted) {
                if state.contains(.stored) { deleted.append(object) }
            } else if !state.contains(.stored) {
                // It was put into the map under the ID that it was created with.
                guard map[object.current.id.rawValue] === object else { throw Self.idWasChanged() }
                inserted.append(object)
            } else if let baseline = object.baseline {
                guard object.current.id == baseline.applied.id else { throw Self.idWasChanged() }
                let changed = object.current.changedColumns(from: baseline.applied)
                if !changed.isEmpty { updated[changed, default: []].append(object) }
            }
        }
        return changes(deleted: deleted, updated: updated, inserted: inserted)
    }

    private func changes(
        deleted: [Managed<E>], updated: [ColumnSet: [Managed<E>]], inserted: [Managed<E>]
    ) -> PendingChanges {
        var changes = PendingChanges()
        if !deleted.isEmpty {
            let rows = ObjectRows(objects: deleted, columns: [], isInsertion: false)
            changes.deletion = .delete(entity: entity, rows)
        }
        // In a fixed order, so that the same write always runs the same statements.
        for (columns, objects) in updated.sorted(by: { $0.key.bits < $1.key.bits }) {
            let rows = ObjectRows(objects: objects, columns: columns, isInsertion: false)
            changes.updates.append((columns, rows))
        }
        if !inserted.isEmpty {
            let all = ColumnSet(first: E.schema.columns.count)
            let rows = ObjectRows(objects: inserted, columns: all, isInsertion: true)
            changes.insertion = .insert(entity: entity, rows)
        }
        return changes
    }

    private static func idWasChanged() -> DataAccessError {
        DataAccessError(
            .invalidID,
            "The ID of a \(E.schema.typeName) was changed. IDs are final; delete the object and create another."
        )
    }

    func didFlush() {
        for object in pending {
            object.state.remove(.pending)
            if object.state.contains(.deleted) {
                object.state.remove(.stored)
            } else {
                object.state.insert(.stored)
                object.baseline?.applied = object.current
            }
        }
        pending.removeAll(keepingCapacity: true)
    }

    func forgetPending() {
        for object in pending { object.state.remove(.pending) }
        pending.removeAll(keepingCapacity: true)
    }

    func refresh(in session: any StoreSession) throws {
        let held = map.objects.filter { $0.state.contains(.stored) && !$0.state.contains(.deleted) }
        guard !held.isEmpty else { return }
        var unseen: [E.RawID: Managed<E>] = [:]
        for object in held { unseen[object.current.id.rawValue] = object }
        let ids = try held.map { try StoreValue($0.id, Coding.of(E.ID.self)) }
        try session.fetch(entity: entity, ids: ids) { cursor in
            while cursor.next() {
                let value = try E(row: cursor.row)
                guard let object = unseen.removeValue(forKey: value.id.rawValue) else { continue }
                self.refresh(object, to: value)
            }
        }
        for object in unseen.values {
            context.scopes.last?.remember(object)
            object.state = object.state.subtracting(.stored).union(.deleted)
        }
    }

    private func refresh(_ object: Managed<E>, to value: E) {
        guard !value.changedColumns(from: object.current).isEmpty else { return }
        context.scopes.last?.remember(object)
        object.current = value
        object.baseline?.applied = value
    }

    func forgetHooks() { hookMarks = [:] }

    func end() {
        map.removeAll()
        pending = []
    }
}
