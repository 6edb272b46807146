import SkiathosCore
import SkiathosStore

/// The pending change of one row in a scratch space, with stored column values.
enum PendingRow: Sendable {
    /// Inserted here.
    case inserted([StoreValue])
    /// Some columns were changed here.
    case updated(UpdatedRow)
    /// Deleted here; holds the row as it was first seen.
    case deleted([StoreValue])
    /// Inserted again with its ID, after it had been deleted here or elsewhere.
    ///
    /// Saving looks up the row in the target: if it exists, some of its columns are updated;
    /// if not, it is inserted.
    case remade(UpdatedRow)

    /// Whether it deletes the row.
    var isDeletion: Bool {
        if case .deleted = self { true } else { false }
    }

    /// The pending change after one more change; `nil` if both cancel out.
    ///
    /// - Parameter base: The row as it was first seen, if the change inserts a row again that
    ///   was deleted elsewhere.
    static func adding(
        _ change: RowChange, to pending: PendingRow?, remaking base: [StoreValue]? = nil
    ) -> PendingRow? {
        switch (pending, change.before, change.after) {
        case (nil, nil, nil): nil
        case (nil, nil, let after?) where base != nil:
            base.map { .remade(UpdatedRow(from: $0, to: after)) }
        case (nil, nil, let after?): .inserted(after)
        case (nil, let before?, nil): .deleted(before)
        case (nil, let before?, let after?): UpdatedRow(from: before, to: after).pending
        case (.inserted?, _, let after?): .inserted(after)
        case (.inserted?, _, nil): nil
        case (.updated(let row)?, let before?, let after?):
            row.changed(from: before, to: after).pending
        case (.remade(let row)?, let before?, let after?):
            .remade(row.changed(from: before, to: after))
        case (.updated(let row)?, let before?, nil), (.remade(let row)?, let before?, nil):
            .deleted(row.bases(in: before))
        case (.updated(let row)?, nil, let after?), (.remade(let row)?, nil, let after?):
            .remade(UpdatedRow(from: row.base, to: after))
        case (.deleted(let base)?, _, let after?): .remade(UpdatedRow(from: base, to: after))
        case (.updated?, nil, nil), (.remade?, nil, nil), (.deleted?, _, nil): pending
        }
    }
}

/// A row with changed columns.
struct UpdatedRow: Sendable {
    /// The values of the changed columns before their first change here, and of the others
    /// when the row was last seen.
    private(set) var base: [StoreValue]
    /// The current values here.
    private(set) var mine: [StoreValue]
    /// The columns that were changed here.
    private(set) var columns: ColumnSet

    init(from base: [StoreValue], to mine: [StoreValue]) {
        self.base = base
        self.mine = mine
        columns = ColumnSet()
        for column in base.indices {
            columns.insert(column, if: base[column] != mine[column])
        }
    }

    /// The row as a pending change; nil if no column has changed.
    var pending: PendingRow? { columns.isEmpty ? nil : .updated(self) }

    /// The same with one more change; a column that has its first value again counts as unchanged.
    func changed(from before: [StoreValue], to after: [StoreValue]) -> UpdatedRow {
        var row = self
        for column in after.indices {
            let isChange = before[column] != after[column]
            if !columns.contains(column) {
                row.base[column] = before[column]
                row.columns.insert(column, if: isChange)
            } else if isChange, after[column] == base[column] {
                row.columns.remove(column)
            }
            row.mine[column] = after[column]
        }
        return row
    }

    /// The row with the base values of the changed columns.
    func bases(in row: [StoreValue]) -> [StoreValue] {
        var row = row
        for column in columns { row[column] = base[column] }
        return row
    }

    /// The row with the current values of the changed columns.
    func applied(to row: [StoreValue]) -> [StoreValue] {
        var row = row
        for column in columns { row[column] = mine[column] }
        return row
    }
}
