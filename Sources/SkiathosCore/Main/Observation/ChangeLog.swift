import SkiathosStore

/// The changed rows of one entity in one write, untyped.
protocol RecordedChanges: Sendable {}

/// The changed rows of one entity in one write, flush by flush, and their net changes.
struct ChangeLog<E: Entity>: RecordedChanges {
    private enum Change {
        case inserted
        case updated(ColumnSet)
        case deleted
        /// Inserted and deleted again.
        case none
    }

    private var changes: [E.ID: Change] = [:]
    /// The IDs in the order of their first change.
    private var order: [E.ID] = []

    var isEmpty: Bool { changes.isEmpty }

    mutating func insert(_ id: E.ID) {
        switch changes[id] {
        case .deleted?: changes[id] = .updated(Self.allColumns)
        default: set(id, .inserted)
        }
    }

    mutating func update(_ id: E.ID, _ columns: ColumnSet) {
        switch changes[id] {
        case .inserted?: break
        case .updated(let others)?: changes[id] = .updated(others.union(columns))
        default: set(id, .updated(columns))
        }
    }

    mutating func delete(_ id: E.ID) {
        switch changes[id] {
        case .inserted?, .none?: set(id, .none)
        default: set(id, .deleted)
        }
    }

    /// The net changes.
    ///
    /// - Parameter store: The label of the store.
    func outcome(in store: String) -> EntityChanges<E> {
        var outcome = EntityChanges<E>(store: store)
        for id in order {
            switch changes[id] {
            case .inserted?: outcome.inserted.append(id)
            case .updated(let columns)?:
                outcome.updated.append(EntityChanges.Update(id: id, columnSet: columns))
            case .deleted?: outcome.deleted.append(id)
            case .none?, nil: break
            }
        }
        return outcome
    }

    private mutating func set(_ id: E.ID, _ change: Change) {
        if changes.updateValue(change, forKey: id) == nil { order.append(id) }
    }

    private static var allColumns: ColumnSet {
        var columns = ColumnSet(first: E.schema.columns.count)
        columns.remove(0)
        return columns
    }
}
