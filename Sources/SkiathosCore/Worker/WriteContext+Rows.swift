package import SkiathosStore

extension WriteContext {
    /// Applies steps in the open transaction, without objects, hooks or records of the
    /// changes.
    ///
    /// Objects that are tracked by then would not change with it, so it comes before
    /// everything else.
    package func replay(_ steps: [StoreChange]) throws {
        guard !steps.isEmpty else { return }
        try withSession { session in
            try transaction.beginExclusive(session)
            try session.apply(steps)
        }
    }

    /// The keys that exist, without tracking their rows.
    package func existing(_ keys: [RowKey]) throws -> Set<RowKey> {
        var found: Set<RowKey> = []
        for (entity, keys) in Dictionary(grouping: keys, by: \.entity) {
            let request = FetchRequest(
                entity: entity, predicate: .contained(.column(0), keys.map(\.id)))
            let storage = schema.entities[entity].columns[0].storage
            try withSession { session in
                try session.fetch(ProjectionRequest([.column(0)], of: request)) { cursor in
                    while cursor.next() {
                        let id = cursor.row.storedValue(storage, at: 0)
                        found.insert(RowKey(entity: entity, id: id))
                    }
                }
            }
        }
        return found
    }

    /// Records every row that changes from here on.
    package func beginCapture() throws {
        try flush()
        journal.beginCapture()
    }

    /// Flushes all changes to the open transaction, and returns the rows that have changed
    /// since ``beginCapture()``.
    package func endCapture() throws -> [RowChange] {
        try flush()
        defer { journal.endCapture() }
        return journal.capturedChanges
    }

    /// Flushes all changes to the open transaction, after their hooks.
    package func bringPending() throws { try flush() }

    /// Rolls back everything, and begins over under the same permit.
    ///
    /// IDs that were allocated stay allocated.
    package func startOver() throws {
        try transaction.rollBack()
        registry.end()
        let origin = origin
        journal = WriteJournal(recordsMergedRows: recordsMergedRows)
        self.origin = origin
        forgetDeletions()
        loadGroups?.removeAll()
    }

    /// Runs a closure against what the open transaction holds, as a read sees the store.
    ///
    /// The connection is held meanwhile.
    package func reading<R>(_ body: (ReadContext) throws -> R) throws -> R {
        try flush()
        return try withSession { session in
            try transaction.beginExclusive(session)
            let view = transaction.reader(of: session)
            defer { view.end() }
            return try body(view)
        }
    }

    /// The rows with these IDs, as the write sees them.
    package func rows(of entity: Int, _ ids: [StoreValue]) throws -> [RowKey: [StoreValue]] {
        try anyUnit(at: entity).rows(ids)
    }

    /// Runs a closure whose changes have been through the hooks already.
    package func withoutHooks(_ body: () throws -> Void) throws {
        try flush()
        preparation.skipsHooks = true
        defer { preparation.skipsHooks = false }
        try body()
        try flush()
    }

    /// Inserts a row, as an object.
    package func insertRow(of entity: Int, _ values: [StoreValue]) throws {
        try anyUnit(at: entity).insertRow(values)
    }

    /// Sets the columns of a row's object.
    package func setRow(of entity: Int, _ values: [StoreValue]) throws {
        try anyUnit(at: entity).setRow(values)
    }

    /// Deletes the object of a row.
    package func deleteRow(of entity: Int, _ id: StoreValue) throws {
        try anyUnit(at: entity).deleteRow(id)
    }

    /// The unit of work of the entity at a position, created on first use.
    private func anyUnit(at position: Int) throws -> any AnyUnitOfWork {
        guard isOpen else { throw DataAccessError.contextEnded("write") }
        return try units[position] ?? traits[position].unit(self)
    }
}

/// The rows that deletions affect, for a write whose changes are recorded row by row.
extension WriteContext {
    /// Tracks the rows that the rules of deletions are about to change or delete.
    func holdConsequences(in session: any StoreSession) throws {
        guard journal.isCapturing else { return }
        for (entity, unit) in units.enumerated() {
            guard let unit, unit.pendingCount > 0 else { continue }
            try holdConsequences(of: try unit.pendingDeletions(), entity, in: session)
        }
    }

    /// Tracks the rows of a request that a statement is about to change or delete.
    func hold<E: Entity>(
        _ entity: E.Type, _ request: FetchRequest, deleting: Bool
    ) throws {
        guard journal.isCapturing else { return }
        try flush()
        let unit = try unit(of: E.self)
        try withSession { session in
            try unit.hold(request, in: session)
            guard deleting else { return }
            var ids: [StoreValue] = []
            let projection = ProjectionRequest([.column(0)], of: request)
            try session.fetch(projection) { cursor in
                while cursor.next() {
                    let id = try E.ID(row: cursor.row, column: 0)
                    ids.append(try StoreValue(id, Coding.of(E.ID.self)))
                }
            }
            try holdConsequences(of: ids, unit.entity, in: session)
        }
    }

    private func holdConsequences(
        of deleted: [StoreValue], _ entity: Int, in session: any StoreSession
    ) throws {
        var seen = Set(deleted.map { RowKey(entity: entity, id: $0) })
        var unvisited = deleted.isEmpty ? [] : [(entity, deleted)]
        while let (target, ids) = unvisited.popLast() {
            for (position, other) in schema.entities.enumerated() {
                for (column, rule) in rules(of: other, towards: target) {
                    let found = try anyUnit(at: position)
                        .hold(where: column, isAmong: ids, in: session)
                    guard rule == .cascade else { continue }
                    let new = found.filter {
                        seen.insert(RowKey(entity: position, id: $0)).inserted
                    }
                    if !new.isEmpty { unvisited.append((position, new)) }
                }
            }
        }
    }

    private func rules(
        of entity: EntitySchema, towards target: Int
    ) -> [(Int, ColumnSchema.DeleteRule)] {
        entity.columns.enumerated().compactMap { position, column in
            guard let reference = column.reference, reference.onDelete != .deny,
                schema.target(of: reference) == target
            else { return nil }
            return (position, reference.onDelete)
        }
    }

    /// Throws where changes could not be recorded row by row.
    func requireNoCapture(for call: StaticString) throws {
        guard journal.isCapturing else { return }
        throw DataAccessError(
            .invalidRequest,
            "\(call) was called where each changed row is recorded, and it cannot say which rows it changes. Use objects, update(where:set:) or deleteAll(where:)."
        )
    }
}

extension RowReader {
    /// The value of a column as it is stored.
    func storedValue(_ storage: StorageClass, at column: Int) -> StoreValue {
        if isNull(at: column) { return .null }
        return switch storage {
        case .integer: .integer(integer(at: column))
        case .real: .real(real(at: column))
        case .text, .decimal: text(at: column).map { .text($0) } ?? .null
        case .blob: .blob(withBytes(at: column) { Array($0) })
        }
    }
}
