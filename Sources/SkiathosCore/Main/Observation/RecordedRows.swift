public import SkiathosStore

/// Rows of one entity that one step of a write has changed, with their values.
@usableFromInline
protocol RecordedRows: Sendable {
    /// The position of the entity.
    var entity: Int { get }
    /// How many changes there are.
    var count: Int { get }
    /// Whether each row is changed once.
    var areNet: Bool { get }
    /// How much of a ``RecordingLimit`` they take, which is about rows recorded as they are stored.
    var stored: RecordingLimit { get }

    /// Calls a closure with each change, in order.
    ///
    /// - Parameter columns: The columns whose values are needed; others may be null or, behind the
    ///   last of these, absent.
    /// - Throws: ``StoreError`` for a value that cannot be stored, or what the closure throws.
    func forEachRow(_ columns: ColumnSet, _ body: (ChangedRow) throws -> Void) throws
}

/// What a flush that is being prepared records for observers.
@usableFromInline
struct FlushRecord {
    /// The entities of which it records each changed row.
    @usableFromInline private(set) var entities: EntityMask = []
    /// The rows.
    @usableFromInline var rows: [any RecordedRows] = []

    /// Forgets the rows of a flush that has failed.
    mutating func begin(_ entities: EntityMask) {
        self.entities = entities
        if !rows.isEmpty { rows = [] }
    }

    /// The rows, for a flush that is applied.
    mutating func take() -> [any RecordedRows] {
        guard !rows.isEmpty else { return [] }
        defer { rows = [] }
        return rows
    }
}

/// Rows that the store has recorded while a step ran, as net changes.
struct StoredRows: RecordedRows {
    let entity: Int
    let rows: [ChangedRow]

    var count: Int { rows.count }
    var areNet: Bool { true }

    var stored: RecordingLimit {
        let bytes = rows.reduce(0) { bytes, row in
            bytes + StoreValue.size(of: row.before) + StoreValue.size(of: row.after)
        }
        return RecordingLimit(rows: rows.count, bytes: bytes)
    }

    func forEachRow(_ columns: ColumnSet, _ body: (ChangedRow) throws -> Void) rethrows {
        try rows.forEach(body)
    }
}

/// Rows that a flush has changed by objects.
///
/// Their values are encoded where they are needed, mostly outside of the write.
@usableFromInline
struct ObjectChanges<E: Entity>: RecordedRows {
    @usableFromInline let entity: Int
    /// What was done to each row.
    @usableFromInline private(set) var changes: [PendingChange] = []
    /// The values of the rows, in the order of the changes: both of an update, the first one before
    /// it.
    @usableFromInline private(set) var values: [E] = []

    /// - Parameters:
    ///   - entity: The position of the entity.
    ///   - count: How many changes are going to be added at the most.
    @inlinable
    init(entity: Int, upTo count: Int) {
        self.entity = entity
        changes.reserveCapacity(count)
        values.reserveCapacity(2 * count)
    }

    @inlinable
    mutating func insert(_ row: consuming E) {
        changes.append(PendingChange(.insert))
        values.append(row)
    }

    @inlinable
    mutating func update(
        _ columns: ColumnSet, from before: consuming E, to after: consuming E
    ) {
        changes.append(PendingChange(updating: columns))
        values.append(before)
        values.append(after)
    }

    @inlinable
    mutating func delete(_ row: consuming E) {
        changes.append(PendingChange(.delete))
        values.append(row)
    }

    @usableFromInline var count: Int { changes.count }

    @usableFromInline var areNet: Bool {
        guard changes.count > 1 else { return true }
        var (hasInsertion, hasDeletion) = (false, false)
        for change in changes {
            switch change.kind {
            case .insert: hasInsertion = true
            case .delete: hasDeletion = true
            case .update, .none: break
            }
        }
        // A new object may have the ID of a deleted one; else an ID has one object.
        return !(hasInsertion && hasDeletion)
    }

    @usableFromInline var stored: RecordingLimit { RecordingLimit(rows: 0, bytes: 0) }

    @usableFromInline
    func forEachRow(_ columns: ColumnSet, _ body: (ChangedRow) throws -> Void) throws {
        try values.withUnsafeBufferPointer { values in
            var next = 0
            for change in changes {
                switch change.kind {
                case .none: break
                case .insert:
                    let row = try values[next].storedValues(columns)
                    try body(ChangedRow(before: nil, after: row, columns: .all))
                    next += 1
                case .delete:
                    let row = try values[next].storedValues(columns)
                    try body(ChangedRow(before: row, after: nil, columns: .all))
                    next += 1
                case .update:
                    let before = try values[next].storedValues(columns)
                    let after = try values[next + 1].storedValues(
                        change.columns.intersection(columns), besides: before)
                    try body(ChangedRow(before: before, after: after, columns: change.columns))
                    next += 2
                }
            }
        }
    }
}

extension ChangeLog {
    /// Adds the changes of a step.
    mutating func add(_ step: any RecordedRows) {
        if let step = step as? ObjectChanges<E> {
            add(step)
        } else if let step = step as? StoredRows {
            add(step.rows)
        }
    }

    private mutating func add(_ step: ObjectChanges<E>) {
        var next = step.values.startIndex
        for change in step.changes {
            let row = step.values[next]
            switch change.kind {
            case .none: continue
            case .insert: insert(row.id, .value(row))
            case .delete: delete(row.id, .value(row))
            case .update:
                next += 1
                update(row.id, change.columns, from: .value(row), to: .value(step.values[next]))
            }
            next += 1
        }
    }
}
