import SkiathosStore

/// Untyped rows, for code that records changes as they are stored.
extension UnitOfWork {
    /// Tracks the rows of a request, so that changes of them are recorded.
    func hold(_ request: FetchRequest, in session: any StoreSession) throws {
        var objects: [Managed<E>] = []
        try session.metering(nil) {
            try session.fetch(request) { try E.decodeRows(&$0, into: &objects, of: self) }
        }
    }

    /// Tracks the rows in which a column has any of some values, and returns their IDs.
    func hold(
        where column: Int, isAmong values: [StoreValue], in session: any StoreSession
    ) throws -> [StoreValue] {
        var objects: [Managed<E>] = []
        let request = FetchRequest(
            entity: entity, predicate: .contained(.column(column), values))
        try session.metering(nil) {
            try session.fetch(request) { try E.decodeRows(&$0, into: &objects, of: self) }
        }
        return try objects.map { try StoreValue($0.id, Coding.of(E.ID.self)) }
    }

    /// The IDs of the objects that the next flush deletes.
    func pendingDeletions() throws -> [StoreValue] {
        try pending.filter { $0.pendingChange.kind == .delete }
            .map { try StoreValue($0.id, Coding.of(E.ID.self)) }
    }

    /// The existing rows with these IDs, which are tracked from here on.
    func rows(_ ids: [StoreValue]) throws -> [RowKey: [StoreValue]] {
        let keys = try ids.map { try Self.id($0) }
        var rows: [RowKey: [StoreValue]] = [:]
        for object in try E.find(keys, in: context).found {
            let values = try object.current.storedValues()
            rows[RowKey(entity: entity, id: values[0])] = values
        }
        return rows
    }

    /// Creates the object of a row.
    func insertRow(_ values: [StoreValue]) throws {
        _ = try E.insert(try Self.value(values), in: context)
    }

    /// Sets the columns of an object, if it exists.
    func setRow(_ values: [StoreValue]) throws {
        guard let object = try E.find(try Self.id(values[0]), in: context) else { return }
        replace(object, with: try Self.value(values))
    }

    /// Deletes an object, if it exists.
    func deleteRow(_ id: StoreValue) throws {
        try E.find(try Self.id(id), in: context)?.delete()
    }

    private static func id(_ value: StoreValue) throws -> E.ID {
        try ValueRow([value]).read { try E.ID(row: $0, column: 0) }
    }

    private static func value(_ values: [StoreValue]) throws -> E {
        try ValueRow(values).read { try E(row: $0) }
    }
}
