import SkiathosStore

/// The net change of one row: its columns as they are stored, before and after.
@usableFromInline
struct ChangedRow: Sendable {
    /// The row before the change; `nil` if there was none.
    let before: [StoreValue]?
    /// The row after the change; `nil` if it was deleted.
    let after: [StoreValue]?
    /// The columns whose values differ; all of them unless the row existed before and after.
    let columns: ColumnSet

    init(before: [StoreValue]?, after: [StoreValue]?, columns: ColumnSet) {
        self.before = before
        self.after = after
        self.columns = columns
    }

    /// The change between two states of a row; `nil` if they do not differ.
    init?(from before: [StoreValue]?, to after: [StoreValue]?) {
        guard let before, let after else {
            guard before != nil || after != nil else { return nil }
            self.init(before: before, after: after, columns: .all)
            return
        }
        var columns = ColumnSet()
        for column in after.indices where !before[column].isSameInStore(as: after[column]) {
            columns.insert(column)
        }
        guard !columns.isEmpty else { return nil }
        self.init(before: before, after: after, columns: columns)
    }
}

/// The net changes of the rows of one entity, from each change of each row.
struct NetRowChanges {
    /// The place of each ID in `rows`.
    private var places: [StoreValue: Int] = [:]
    /// The first state of each row and its last, in the order of the first changes.
    private var rows: [(first: [StoreValue]?, last: [StoreValue]?)] = []

    /// Adds the next change.
    mutating func add(_ change: StoreRowChange) {
        guard let before = change.before, let after = change.after, before.first != after.first
        else { return add(change.before, change.after) }
        // With another ID it is another row.
        add(before, nil)
        add(nil, after)
    }

    /// Adds the next change of a row that keeps its ID.
    mutating func add(_ before: [StoreValue]?, _ after: [StoreValue]?) {
        guard let id = (after ?? before)?.first else { return }
        if let place = places[id] {
            rows[place].last = after
        } else {
            places[id] = rows.count
            rows.append((before, after))
        }
    }

    /// The rows that differ from their first state.
    var outcome: [ChangedRow] { rows.compactMap { ChangedRow(from: $0.first, to: $0.last) } }
}
