import SkiathosStore

extension ToMany {
    /// The values of the rows, by their sort keys, else in the order of their IDs.
    ///
    /// Loaded at once for all owners that were fetched together.
    public func all(in context: ReadContext) throws -> [Element] {
        try list(in: context.batches, context, { $0 }) { request in
            var values: [Element] = []
            try context.query { session in
                try session.fetch(request) { try Element.decodeRows(&$0, into: &values) }
            }
            context.batches.record(values)
            return values
        }
    }

    /// The tracked objects of the rows, by their sort keys, else in the order of their IDs.
    ///
    /// These are the rows that refer to the owner now, changes of the write included. Loaded
    /// at once for all owners that were fetched together, and again after a change.
    public func all(in context: WriteContext) throws -> [Managed<Element>] {
        let unit = try context.unit(of: Element.self)
        // Pending changes may move rows.
        try context.flush()
        return try list(in: context.batches, context, { $0.current }) { request in
            var objects: [Managed<Element>] = []
            try context.query { session in
                try session.fetch(request) {
                    try Element.decodeRows(&$0, into: &objects, of: unit)
                }
            }
            context.batches.record(objects)
            return objects
        }
    }

    /// The value of the first row, by the sort keys, else the one with the smallest ID.
    public func first(in context: ReadContext) throws -> Element? { try all(in: context).first }

    /// The number of the rows.
    ///
    /// Counted at once for all owners that were fetched together.
    public func count(in context: ReadContext) throws -> Int {
        try count(in: context.batches, context)
    }

    /// The number of the rows, changes of the write included.
    public func count(in context: WriteContext) throws -> Int {
        // Pending changes may move rows.
        try context.flush()
        return try count(in: context.batches, context)
    }

    private func list<Row>(
        in batches: LoadGroups, _ context: some QueryContext, _ value: (Row) -> Element,
        _ fetch: (FetchRequest) throws -> [Row]
    ) throws -> [Row] {
        let owner = try owner.get()
        let position = try context.position(of: Element.self)
        let key = LoadGroup.Key(
            request: try request(for: [], at: position), isCount: false)
        let batch = batches.batch(of: ownerType, containing: owner, for: key)
        if let known = batch.relations[key] as? [StoreValue: [Row]] { return known[owner] ?? [] }
        let rows = try fetch(try request(for: batch.ids, at: position))
        let lists = try Dictionary(grouping: rows) { row in
            try StoreValue.capture { try value(row).bind(relation.reference, to: $0, at: 0) }
        }
        batch.relations[key] = lists
        return lists[owner] ?? []
    }

    private func count(
        in batches: LoadGroups, _ context: some QueryContext
    ) throws -> Int {
        let owner = try owner.get()
        let position = try context.position(of: Element.self)
        let key = LoadGroup.Key(request: try request(for: [], at: position), isCount: true)
        let batch = batches.batch(of: ownerType, containing: owner, for: key)
        if let known = batch.relations[key] as? [StoreValue: Int] { return known[owner] ?? 0 }
        var rows = try request(for: batch.ids, at: position)
        rows.order = []
        let reference = StoreExpression.column(relation.reference)
        let request = ProjectionRequest(
            [reference, .aggregate(StoreAggregate(.count, nil, .integer))], of: rows,
            groupedBy: [reference])
        var counts: [StoreValue: Int] = [:]
        try context.query { session in
            try session.fetch(request) { cursor in
                while cursor.next() {
                    let key = try cursor.row.key(at: 0, as: ownerType)
                    counts[key] = Int(cursor.row.integer(at: 1))
                }
            }
        }
        batch.relations[key] = counts
        return counts[owner] ?? 0
    }
}

extension RowReader {
    /// The ID of an entity at a position.
    fileprivate func key<E: Entity>(at column: Int, as entity: E.Type) throws -> StoreValue {
        try StoreValue(try value(Coding.of(E.ID.self), at: column), Coding.of(E.ID.self))
    }
}
