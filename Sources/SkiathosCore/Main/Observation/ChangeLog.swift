import SkiathosStore

/// The changed rows of one entity in one write, step by step, and their net changes.
struct ChangeLog<E: Entity>: Sendable {
    private struct Change {
        /// Whether there was a row before the first change.
        let existed: Bool
        /// Whether there is a row after the last change.
        var exists: Bool
        /// The columns that the changes name, or that differ as far as both ends are known.
        var columns: ColumnSet
        /// Whether the row was changed more than once, so that it may be as it was.
        var isRepeated = false
        /// The row before the first change, if there was one and it is known.
        var before: RecordedRow<E>?
        /// The row after the last change, if there is one and it is known.
        var after: RecordedRow<E>?

        /// Adds the next change.
        mutating func append(_ columns: ColumnSet, to row: RecordedRow<E>?, exists: Bool) {
            self.exists = exists
            self.columns.formUnion(columns)
            isRepeated = true
            after = row
        }

        /// Compares the row before the first change with the one after the last; returns whether they
        /// differ, or may.
        mutating func compareEnds() -> Bool {
            guard existed, exists else { return existed || exists }
            guard isRepeated, let before, let after else { return true }
            if case .stored(let first) = before, case .stored(let last) = after {
                columns = ChangedRow(from: first, to: last)?.columns ?? []
            } else if let first = try? before.value(), let last = try? after.value() {
                columns = last.changedColumns(from: first)
                self.before = .value(first)
                self.after = .value(last)
            }
            return !columns.isEmpty
        }

        /// Replaces stored rows by their values; returns whether all could be decoded.
        mutating func decode() -> Bool {
            do {
                before = try before?.decoded()
                after = try after?.decoded()
                return true
            } catch {
                return false
            }
        }
    }

    private var changes: [E.ID: Change] = [:]
    /// The IDs in the order of their first change.
    private var order: [E.ID] = []
    /// Whether rows were added as they are stored.
    private var hasStoredRows = false
    /// Whether a row was changed more than once.
    private var hasRepeatedRows = false
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
        append(id, Self.allColumns, existed: false, from: nil, exists: true, to: row)
    }

    /// Adds an update of some columns.
    mutating func update(
        _ id: E.ID, _ columns: ColumnSet, from before: RecordedRow<E>? = nil,
        to after: RecordedRow<E>? = nil
    ) {
        append(id, columns, existed: true, from: before, exists: true, to: after)
    }

    /// Adds a deletion.
    mutating func delete(_ id: E.ID, _ row: RecordedRow<E>? = nil) {
        append(id, [], existed: true, from: row, exists: false, to: nil)
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
        let isDecoded = log.settle()
        var outcome = EntityChanges<E>(log, in: store)
        outcome.isComplete = isDecoded && !log.hasUnknownRow
        for id in log.order {
            guard let change = log.changes[id] else { continue }
            switch (change.existed, change.exists) {
            case (false, true): outcome.inserted.append(id)
            case (true, true):
                outcome.updated.append(EntityChanges.Update(id: id, columnSet: change.columns))
            case (true, false): outcome.deleted.append(id)
            case (false, false): break
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

    /// Removes rows that are as they were, and replaces rows by the values that a read would return;
    /// returns whether all could be decoded.
    private mutating func settle() -> Bool {
        guard hasStoredRows || hasRepeatedRows || hasOtherProperties else { return true }
        var isDecoded = true
        var unchanged: [E.ID] = []
        for index in changes.indices {
            if !changes.values[index].compareEnds() {
                unchanged.append(changes.keys[index])
            } else if !changes.values[index].decode() {
                isDecoded = false
            }
        }
        for id in unchanged { changes[id] = nil }
        return isDecoded
    }

    /// Whether the rows have properties without a column, whose values do not leave the write.
    private var hasOtherProperties: Bool {
        guard let change = changes.values.first,
            case .value(let value)? = change.after ?? change.before
        else { return false }
        return value.hasOtherProperties
    }

    /// Adds a change.
    ///
    /// - Parameters:
    ///   - existed: Whether there was a row before it.
    ///   - before: The row before it; only the first one of an ID is kept.
    ///   - exists: Whether there is a row after it.
    private mutating func append(
        _ id: E.ID, _ columns: ColumnSet, existed: Bool, from before: RecordedRow<E>?,
        exists: Bool, to after: RecordedRow<E>?
    ) {
        if let index = changes.index(forKey: id) {
            hasRepeatedRows = true
            changes.values[index].append(columns, to: after, exists: exists)
        } else {
            order.append(id)
            changes[id] = Change(
                existed: existed, exists: exists, columns: columns, before: before, after: after)
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
        case .value(let value): try value.asStored()
        case .stored(let values): try ValueRow(values).read { try E(row: $0) }
        }
    }

    fileprivate func decoded() throws -> RecordedRow { .value(try value()) }
}

extension Entity {
    /// The value as a read would return it: properties without a column have their defaults, so what a
    /// write keeps in them, such as a password, leaves it with no changeset.
    fileprivate func asStored() throws -> Self {
        guard hasOtherProperties else { return self }
        return try ValueRow(try storedValues()).read { try Self(row: $0) }
    }

    /// Whether there are properties without a column.
    fileprivate var hasOtherProperties: Bool {
        Mirror(reflecting: self).children.count > Self.schema.columns.count
    }
}
