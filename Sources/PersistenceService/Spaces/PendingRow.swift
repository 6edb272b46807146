import SkiathosCore
import SkiathosStore

/// What a scratch space has done to one row, its columns as they are stored.
enum PendingRow: Sendable {
    /// It was made here.
    case inserted([StoreValue])
    /// Some of its columns were changed here.
    case updated(UpdatedRow)
    /// It was deleted here; this is how it was when it was first seen.
    case deleted([StoreValue])
    /// It was made here again with its ID, after it had been deleted here or elsewhere.
    ///
    /// Whether there is such a row elsewhere has to be looked up: if so some of its columns are
    /// changed, if not it is new.
    case remade(UpdatedRow)

    /// What is pending for a row after one more change; `nil` if nothing is any more.
    ///
    /// - Parameter base: How the row was when it was first seen, if the change makes a row again that
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

/// A row of which columns were changed.
struct UpdatedRow: Sendable {
    /// What the changed columns held when they were first changed here, and the others when the row
    /// was last seen.
    private(set) var base: [StoreValue]
    /// What the columns hold here.
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

    /// Itself, unless nothing has changed.
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

    /// A row with what the changed columns held at first.
    func bases(in row: [StoreValue]) -> [StoreValue] {
        var row = row
        for column in columns { row[column] = base[column] }
        return row
    }

    /// A row with what the changed columns hold here.
    func applied(to row: [StoreValue]) -> [StoreValue] {
        var row = row
        for column in columns { row[column] = mine[column] }
        return row
    }
}
