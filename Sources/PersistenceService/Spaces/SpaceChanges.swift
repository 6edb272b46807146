import SkiathosCore
import SkiathosStore

/// The pending changes of one scratch space.
struct SpaceChanges: Sendable {
    private(set) var rows: [RowKey: PendingRow] = [:]

    var isEmpty: Bool { rows.isEmpty }
    var count: Int { rows.count }

    /// Restores the pending change that a row had before, or after, a step.
    mutating func set(_ key: RowKey, to row: PendingRow?) { rows[key] = row }

    /// Adds changes, and returns the step that they make.
    ///
    /// - Parameter remade: The first seen versions of rows that are inserted again after they
    ///   were deleted elsewhere.
    mutating func add(
        _ changes: [RowChange], remaking remade: [RowKey: [StoreValue]] = [:]
    ) -> [Step.Change] {
        var step: [Step.Change] = []
        for change in changes {
            let old = rows[change.key]
            let new = PendingRow.adding(change, to: old, remaking: remade[change.key])
            rows[change.key] = new
            if old != nil || new != nil {
                step.append(Step.Change(key: change.key, old: old, new: new))
            }
        }
        return step
    }

    /// The store changes that make a transaction show the rows as the space sees them.
    ///
    /// Changes made here win over changes elsewhere. A row that was deleted elsewhere stays
    /// deleted.
    ///
    /// They are in the order of a unit of work: references that move away from deleted rows;
    /// deletions, referring entities first; updates; insertions, referred entities first.
    ///
    /// - Parameter existing: Returns which of the given rows exist.
    func replay(
        in schema: StoreSchema, existing: ([RowKey]) throws -> Set<RowKey>
    ) throws -> [StoreChange] {
        var parts = schema.entities.map { _ in Part() }
        let remade = rows.filter { if case .remade = $0.value { true } else { false } }
        let present = remade.isEmpty ? [] : try existing(Array(remade.keys))
        for (key, row) in rows {
            switch row {
            case .inserted(let values): parts[key.entity].inserted.append(values)
            case .updated(let row):
                parts[key.entity].updated[row.columns, default: []].append((key.id, row))
            case .deleted: parts[key.entity].deleted.append([key.id])
            case .remade(let row) where present.contains(key):
                parts[key.entity].updated[row.columns, default: []].append((key.id, row))
            case .remade(let row): parts[key.entity].inserted.append(row.mine)
            }
        }
        var steps: [StoreChange] = []
        if parts.contains(where: { !$0.deleted.isEmpty }) {
            for (entity, part) in parts.enumerated() {
                let references = ColumnSet(schema.entities[entity].referenceColumns)
                steps += part.updates(of: entity, limitedTo: references)
            }
            for (entity, part) in parts.enumerated().reversed() where !part.deleted.isEmpty {
                steps.append(.delete(entity: entity, StoredRows(rows: part.deleted, id: 0)))
            }
        }
        for (entity, part) in parts.enumerated() { steps += part.updates(of: entity) }
        for (entity, part) in parts.enumerated() where !part.inserted.isEmpty {
            steps.append(.insert(entity: entity, StoredRows(rows: part.sortedInsertions, id: 0)))
        }
        return steps
    }

    /// The rows of one entity.
    private struct Part {
        var inserted: [[StoreValue]] = []
        var updated: [ColumnSet: [(id: StoreValue, row: UpdatedRow)]] = [:]
        var deleted: [[StoreValue]] = []

        /// Sorted by ID if the IDs are numbers, since this is the cheapest order.
        var sortedInsertions: [[StoreValue]] {
            inserted.sorted { left, right in
                if case .integer(let left) = left[0], case .integer(let right) = right[0] {
                    left < right
                } else {
                    false
                }
            }
        }

        func updates(of entity: Int, limitedTo limit: ColumnSet? = nil) -> [StoreChange] {
            updated.sorted { $0.key.bits < $1.key.bits }.compactMap { columns, rows in
                let columns = limit.map { columns.intersection($0) } ?? columns
                guard !columns.isEmpty else { return nil }
                let positions = Array(columns)
                let bound = rows.map { id, row in positions.map { row.mine[$0] } + [id] }
                return .update(
                    entity: entity, columns: columns,
                    StoredRows(rows: bound, id: positions.count))
            }
        }
    }
}
