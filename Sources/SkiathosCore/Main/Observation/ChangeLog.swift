import SkiathosStore

/// The changed rows of one entity in one write, untyped.
protocol RecordedChanges: Sendable {
    /// Calls a closure with the net change of each row.
    ///
    /// - Throws: ``StoreError`` for a value that cannot be stored, or what the closure throws.
    func forEachRow(_ body: (ChangedRow) throws -> Void) throws
}

/// The net change of one row: its columns as they are stored, before and after.
struct ChangedRow: Sendable {
    /// The row before the change; `nil` if there was none.
    let before: [StoreValue]?
    /// The row after the change; `nil` if it was deleted.
    let after: [StoreValue]?
    /// The columns whose values differ; all of them unless the row existed before and after.
    let columns: ColumnSet

    /// The ID as it is stored.
    var id: StoreValue { (after ?? before)?.first ?? .null }
}

/// The changed rows of one entity in one write, flush by flush, and their net changes.
struct ChangeLog<E: Entity>: RecordedChanges {
    private enum Kind {
        case inserted
        case updated(ColumnSet)
        case deleted
        /// Inserted and deleted again.
        case none
    }

    private struct Change {
        var kind: Kind
        /// The value before the first change, if there was one and it is known.
        let before: E?
        /// The value after the last change, if there is one and it is known.
        var after: E?
    }

    private var changes: [E.ID: Change] = [:]
    /// The IDs in the order of their first change.
    private var order: [E.ID] = []

    var isEmpty: Bool { changes.isEmpty }

    init() {}

    /// The changes of rows between two states of them.
    init(before: [E], after: [E]) {
        for row in before { delete(row.id, row) }
        for row in after { insert(row.id, row) }
    }

    /// The row with an ID before its first change, if there was one and it is known.
    func before(_ id: E.ID) -> E? { changes[id]?.before }

    /// The row with an ID after its last change, if there is one and it is known.
    func after(_ id: E.ID) -> E? { changes[id]?.after }

    /// Adds an insertion.
    ///
    /// - Parameter value: The row; `nil` if only its ID is of interest.
    mutating func insert(_ id: E.ID, _ value: E? = nil) {
        if case .deleted? = changes[id]?.kind {
            set(id, .updated(Self.allColumns), before: nil, after: value)
        } else {
            set(id, .inserted, before: nil, after: value)
        }
    }

    /// Adds an update of some columns.
    mutating func update(
        _ id: E.ID, _ columns: ColumnSet, from before: E? = nil, to after: E? = nil
    ) {
        switch changes[id]?.kind {
        case .inserted?: set(id, .inserted, before: nil, after: after)
        case .updated(let others)?:
            set(id, .updated(others.union(columns)), before: nil, after: after)
        default: set(id, .updated(columns), before: before, after: after)
        }
    }

    /// Adds a deletion.
    mutating func delete(_ id: E.ID, _ value: E? = nil) {
        switch changes[id]?.kind {
        case .inserted?, .none?: set(id, .none, before: nil, after: nil)
        default: set(id, .deleted, before: value, after: nil)
        }
    }

    /// The net changes.
    ///
    /// - Parameter store: The label of the store.
    func outcome(in store: String) -> EntityChanges<E> {
        var outcome = EntityChanges<E>(self, in: store)
        for id in order {
            switch changes[id]?.kind {
            case .inserted?: outcome.inserted.append(id)
            case .updated(let columns)?:
                outcome.updated.append(EntityChanges.Update(id: id, columnSet: columns))
            case .deleted?: outcome.deleted.append(id)
            case .none?, nil: break
            }
        }
        return outcome
    }

    func forEachRow(_ body: (ChangedRow) throws -> Void) throws {
        for id in order {
            guard let change = changes[id] else { continue }
            switch change.kind {
            case .none: break
            case .inserted:
                try body(
                    ChangedRow(before: nil, after: try row(change.after), columns: Self.anyColumn))
            case .deleted:
                try body(
                    ChangedRow(before: try row(change.before), after: nil, columns: Self.anyColumn))
            case .updated:
                let before = try row(change.before)
                let after = try row(change.after)
                var columns = ColumnSet()
                for column in after.indices
                where !before[column].isSameInStore(as: after[column]) {
                    columns.insert(column)
                }
                // A column that was set back has not changed.
                if !columns.isEmpty {
                    try body(ChangedRow(before: before, after: after, columns: columns))
                }
            }
        }
    }

    private func row(_ value: E?) throws -> [StoreValue] {
        guard let value else { throw UnknownRow() }
        return try value.storedValues()
    }

    private mutating func set(_ id: E.ID, _ kind: Kind, before: E?, after: E?) {
        if changes[id] == nil {
            order.append(id)
            changes[id] = Change(kind: kind, before: before, after: after)
        } else {
            changes[id]?.kind = kind
            changes[id]?.after = after
        }
    }

    private static var anyColumn: ColumnSet { ColumnSet(bits: .max) }

    private static var allColumns: ColumnSet {
        var columns = ColumnSet(first: E.schema.columns.count)
        columns.remove(0)
        return columns
    }
}

/// Only the ID of a row was recorded.
private struct UnknownRow: Error {}
