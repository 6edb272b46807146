import SkiathosStore

/// The changed rows of one entity in one write, step by step, and their net changes.
struct ChangeLog<E: Entity>: Sendable {
    private enum Kind {
        case inserted
        case updated(ColumnSet)
        case deleted
        /// Inserted and deleted again.
        case none
    }

    private struct Change {
        var kind: Kind
        /// The row before the first change, if there was one and it is known.
        var before: RecordedRow<E>?
        /// The row after the last change, if there is one and it is known.
        var after: RecordedRow<E>?

        /// Replaces stored rows by their values; returns whether all could be decoded.
        mutating func decode() -> Bool {
            do {
                before = try before?.decoded()
                after = try after?.decoded()
                return true
            } catch {
                if case .none = kind { return true }
                return false
            }
        }
    }

    private var changes: [E.ID: Change] = [:]
    /// The IDs in the order of their first change.
    private var order: [E.ID] = []
    /// Whether rows were added as they are stored.
    private var hasStoredRows = false
    /// Whether the ID of a changed row could not be decoded.
    private var hasUnknownRow = false

    init() {}

    /// The changes of rows between two states of them.
    init(before: [E], after: [E]) {
        for row in before { delete(row.id, .value(row)) }
        for row in after { insert(row.id, .value(row)) }
    }

    /// The row with an ID before its first change, if there was one and it is known.
    func before(_ id: E.ID) -> E? { try? changes[id]?.before?.value() }

    /// The row with an ID after its last change, if there is one and it is known.
    func after(_ id: E.ID) -> E? { try? changes[id]?.after?.value() }

    /// Adds an insertion.
    ///
    /// - Parameter row: The row; `nil` if only its ID is of interest.
    mutating func insert(_ id: E.ID, _ row: RecordedRow<E>? = nil) {
        if case .deleted? = changes[id]?.kind {
            set(id, .updated(Self.allColumns), before: nil, after: row)
        } else {
            set(id, .inserted, before: nil, after: row)
        }
    }

    /// Adds an update of some columns.
    mutating func update(
        _ id: E.ID, _ columns: ColumnSet, from before: RecordedRow<E>? = nil,
        to after: RecordedRow<E>? = nil
    ) {
        switch changes[id]?.kind {
        case .inserted?: set(id, .inserted, before: nil, after: after)
        case .updated(let others)?:
            set(id, .updated(others.union(columns)), before: nil, after: after)
        default: set(id, .updated(columns), before: before, after: after)
        }
    }

    /// Adds a deletion.
    mutating func delete(_ id: E.ID, _ row: RecordedRow<E>? = nil) {
        switch changes[id]?.kind {
        case .inserted?, .none?: set(id, .none, before: nil, after: nil)
        default: set(id, .deleted, before: row, after: nil)
        }
    }

    /// Adds the net changes that a step has made to rows, as they are stored.
    mutating func add(_ rows: [ChangedRow]) {
        hasStoredRows = true
        for row in rows {
            do { try add(row) } catch { hasUnknownRow = true }
        }
    }

    /// The net changes.
    ///
    /// They are incomplete if a row is stored in a form that the entity cannot have.
    ///
    /// - Parameter store: The label of the store.
    func outcome(in store: String) -> EntityChanges<E> {
        var log = self
        let isDecoded = log.decode()
        var outcome = EntityChanges<E>(log, in: store)
        outcome.isComplete = isDecoded && !log.hasUnknownRow
        for id in log.order {
            switch log.changes[id]?.kind {
            case .inserted?: outcome.inserted.append(id)
            case .updated(let columns)?:
                outcome.updated.append(EntityChanges.Update(id: id, columnSet: columns))
            case .deleted?: outcome.deleted.append(id)
            case .none?, nil: break
            }
        }
        return outcome
    }

    private mutating func add(_ row: ChangedRow) throws {
        guard let values = row.after ?? row.before else { return }
        let id = try ValueRow(values).read { try E.ID(row: $0, column: 0) }
        switch (row.before, row.after) {
        case (let before?, let after?):
            update(id, row.columns, from: .stored(before), to: .stored(after))
        case (let before?, nil): delete(id, .stored(before))
        case (nil, let after?): insert(id, .stored(after))
        case (nil, nil): break
        }
    }

    /// Replaces stored rows by their values; returns whether all could be decoded.
    private mutating func decode() -> Bool {
        guard hasStoredRows else { return true }
        var isDecoded = true
        for index in changes.values.indices where !changes.values[index].decode() {
            isDecoded = false
        }
        return isDecoded
    }

    private mutating func set(
        _ id: E.ID, _ kind: Kind, before: RecordedRow<E>?, after: RecordedRow<E>?
    ) {
        if changes[id] == nil {
            order.append(id)
            changes[id] = Change(kind: kind, before: before, after: after)
        } else {
            changes[id]?.kind = kind
            changes[id]?.after = after
        }
    }

    private static var allColumns: ColumnSet {
        var columns = ColumnSet(first: E.schema.columns.count)
        columns.remove(0)
        return columns
    }
}

/// A row as it was recorded.
///
/// Rows that were changed without objects are decoded where a value is needed, outside of the write.
enum RecordedRow<E: Entity>: Sendable {
    case value(E)
    case stored([StoreValue])

    /// - Throws: ``StoreError`` if it is stored in a form that the entity cannot have.
    func value() throws -> E {
        switch self {
        case .value(let value): value
        case .stored(let values): try ValueRow(values).read { try E(row: $0) }
        }
    }

    fileprivate func decoded() throws -> RecordedRow { .value(try value()) }
}
