import SkiathosStore

/// The rows of one entity that matter to one live query.
struct Interest: Sendable {
    /// The position of the entity.
    let entity: Int
    /// The rows that matter; without a condition, every row does.
    let condition: RowCondition?
    /// The columns that matter of a row that meets the condition before and after a change.
    let columns: ColumnSet
    /// The columns of which one has to differ, so that the change of a row matters that exists before
    /// and afterwards.
    let decisiveColumns: ColumnSet

    init(_ dependency: ReadDependency, in schema: StoreSchema) {
        entity = dependency.entity
        columns = dependency.columns
        condition = dependency.predicate.map {
            RowCondition($0, of: schema.entities[dependency.entity])
        }
        // What other rows or functions decide may depend on any column.
        decisiveColumns =
            condition?.isDecidable == false
            ? .all : columns.union(condition?.columns ?? [])
    }

    /// Whether the changed rows are needed to decide if a change matters.
    var needsRows: Bool { condition != nil || columns != .all }

    /// Whether the change of a row matters: it enters or leaves, or stays and has other values, or
    /// the condition cannot be decided.
    func isAffected(by row: ChangedRow) -> Bool {
        guard row.mayMatter(by: decisiveColumns) else { return false }
        guard let isIn = contains(row.after) else { return true }
        if isDecided(bothFor: row) { return isIn && !columns.isDisjoint(with: row.columns) }
        guard let wasIn = contains(row.before) else { return true }
        guard wasIn == isIn else { return true }
        return isIn && !columns.isDisjoint(with: row.columns)
    }

    /// Whether the condition has the same answer before and after a change, since no column changes on
    /// which it depends.
    private func isDecided(bothFor row: ChangedRow) -> Bool {
        guard row.before != nil, row.after != nil, let condition else { return false }
        return condition.columns.isDisjoint(with: row.columns)
    }

    private func contains(_ row: [StoreValue]?) -> Bool? {
        guard let row else { return false }
        guard let condition else { return true }
        return condition.answer(for: row)
    }
}

extension ChangedRow {
    /// Whether the change may matter to what depends on these columns of the row, and on whether there
    /// is a row.
    func mayMatter(by decisiveColumns: ColumnSet) -> Bool {
        before == nil || after == nil || !decisiveColumns.isDisjoint(with: columns)
    }
}
