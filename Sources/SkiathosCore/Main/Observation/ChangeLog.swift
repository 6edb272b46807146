import SkiathosStore

/// The changed rows of one entity in one write, untyped.
protocol RecordedChanges: Sendable {
    /// How many rows there are at the most.
    var count: Int { get }
    /// Calls a closure with the net change of each row.
    ///
    /// - Throws: ``StoreError`` for a value that cannot be stored, or what the closure throws.
    func forEachRow(_ body: (ChangedRow) throws -> Void) throws
    /// How many rows were added as they are stored, and their size; a row that was added twice counts
    /// twice.
    var stored: RecordingLimit { get }
}

/// The changed rows of one entity in one write, step by step, and their net changes.
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
    /// Steps that come after `changes`, with the net changes of their rows as they are stored.
    ///
    /// They are merged where a value is needed or an object changes a row after them, so that a write
    /// spends no time on looking at each of its rows by type.
    private var recorded: [[ChangedRow]] = []
    /// Whether the ID of a changed row could not be decoded.
    private var hasUnknownRow = false
    private(set) var stored = RecordingLimit(rows: 0, bytes: 0)

    var isEmpty: Bool { changes.isEmpty && recorded.isEmpty }
    var count: Int { recorded.reduce(changes.count) { $0 + $1.count } }

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
        mergeRecorded()
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
        mergeRecorded()
        switch changes[id]?.kind {
        case .inserted?: set(id, .inserted, before: nil, after: after)
        case .updated(let others)?:
            set(id, .updated(others.union(columns)), before: nil, after: after)
        default: set(id, .updated(columns), before: before, after: after)
        }
    }

    /// Adds a deletion.
    mutating func delete(_ id: E.ID, _ row: RecordedRow<E>? = nil) {
        mergeRecorded()
        switch changes[id]?.kind {
        case .inserted?, .none?: set(id, .none, before: nil, after: nil)
        default: set(id, .deleted, before: row, after: nil)
        }
    }

    /// Adds the net changes that a step has made to rows, as they are stored.
    mutating func add(_ rows: [ChangedRow]) {
        recorded.append(rows)
        stored.rows += rows.count
        for row in rows {
            stored.bytes += StoreValue.size(of: row.before) + StoreValue.size(of: row.after)
        }
    }

    /// The net changes.
    ///
    /// They are incomplete if a row is stored in a form that the entity cannot have.
    ///
    /// - Parameter store: The label of the store.
    func outcome(in store: String) -> EntityChanges<E> {
        var log = self
        log.mergeRecorded()
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

    func forEachRow(_ body: (ChangedRow) throws -> Void) throws {
        guard recorded.isEmpty else {
            if changes.isEmpty, recorded.count == 1 { return try recorded[0].forEach(body) }
            var log = self
            log.mergeRecorded()
            return try log.forEachRow(body)
        }
        guard !hasUnknownRow else { throw UnknownRow() }
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
                guard let before = change.before, let after = change.after
                else { throw UnknownRow() }
                // A column that was set back has not changed.
                if let row = try before.changed(to: after) { try body(row) }
            }
        }
    }

    /// Adds the steps that were recorded to the changes.
    private mutating func mergeRecorded() {
        guard !recorded.isEmpty else { return }
        let steps = recorded
        recorded = []
        for row in steps.joined() {
            do { try merge(row) } catch { hasUnknownRow = true }
        }
    }

    private mutating func merge(_ row: ChangedRow) throws {
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

    private func row(_ row: RecordedRow<E>?) throws -> [StoreValue] {
        guard let row else { throw UnknownRow() }
        return try row.storedValues()
    }

    /// Replaces stored rows by their values; returns whether all could be decoded.
    private mutating func decode() -> Bool {
        guard stored.rows > 0 else { return true }
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

    private static var anyColumn: ColumnSet { ColumnSet(bits: .max) }

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

    /// - Throws: ``StoreError`` for a value that cannot be stored.
    func storedValues() throws -> [StoreValue] {
        switch self {
        case .value(let value): try value.storedValues()
        case .stored(let values): values
        }
    }

    fileprivate func decoded() throws -> RecordedRow { .value(try value()) }

    /// The change of this row to another one; `nil` if it is none.
    ///
    /// - Throws: ``StoreError`` for a value that cannot be stored.
    fileprivate func changed(to other: RecordedRow) throws -> ChangedRow? {
        guard case .value(let before) = self, case .value(let after) = other else {
            return ChangedRow(from: try storedValues(), to: try other.storedValues())
        }
        // Values are compared faster than what they are stored as, and most columns are the same.
        let columns = after.changedColumns(from: before)
        guard !columns.isEmpty else { return nil }
        let old = try before.storedValues()
        return ChangedRow(
            before: old, after: try after.storedValues(columns, besides: old), columns: columns)
    }
}

/// Only the ID of a row was recorded, or not even that.
private struct UnknownRow: Error {}
