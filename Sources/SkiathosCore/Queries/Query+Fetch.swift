public import SkiathosStore

extension ReadContext {
    /// Fetches the rows of a request.
    @usableFromInline
    func fetch(_ request: FetchRequest, _ body: (inout RowCursor) throws -> Void) throws {
        try query { try $0.fetch(request, body) }
    }
}

extension Query {
    /// The values of the rows.
    ///
    /// - Throws: `DataAccessError` for an entity that the store does not hold, `StoreError` for a
    ///   value that cannot be compared or a row that cannot be decoded.
    @inlinable
    public func all(in context: ReadContext) throws -> [E] {
        let request = try request(at: try context.position(of: E.self))
        var values: [E] = []
        try context.fetch(request) { try E.decodeRows(&$0, into: &values) }
        try context.fetched(values, prefetches)
        return values
    }

    /// The tracked objects of the rows.
    ///
    /// The query sees the write's own pending changes.
    public func all(in context: WriteContext) throws -> [Managed<E>] {
        let unit = try context.unit(of: E.self)
        let request = try request(at: unit.entity)
        var objects: [Managed<E>] = []
        try context.query { session in
            try session.fetch(request) { try E.decodeRows(&$0, into: &objects, of: unit) }
        }
        try context.fetched(objects, prefetches)
        return objects
    }

    /// The value of the first row, or `nil` if there is none.
    ///
    /// Without a sort key, the one with the smallest ID.
    @inlinable
    public func first(in context: ReadContext) throws -> E? {
        guard rowLimit != 0 else { return nil }
        return try limit(1).all(in: context).first
    }

    /// The tracked object of the first row, or `nil` if there is none.
    ///
    /// Without a sort key, the one with the smallest ID.
    public func first(in context: WriteContext) throws -> Managed<E>? {
        guard rowLimit != 0 else { return nil }
        return try limit(1).all(in: context).first
    }

    /// The number of the rows, after the limit and the offset.
    public func count(in context: some QueryContext) throws -> Int {
        let request = try request(in: context)
        return try context.query { try $0.count(request) }
    }

    /// Whether there is any row.
    public func exists(in context: some QueryContext) throws -> Bool {
        let request = try request(in: context)
        return try context.query { try $0.exists(request) }
    }

    /// The IDs of the rows, without the rows themselves.
    public func ids(in context: some QueryContext) throws -> [E.ID] {
        let request = ProjectionRequest([.column(0)], of: try request(in: context))
        var ids: [E.ID] = []
        try context.query { session in
            try session.fetch(request) { cursor in
                while cursor.next() { ids.append(try E.ID(row: cursor.row, column: 0)) }
            }
        }
        return ids
    }
}
