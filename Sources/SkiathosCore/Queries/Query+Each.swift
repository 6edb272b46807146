import SkiathosStore

extension Query {
    /// Calls a closure with the value of each row, in the order of the query, without ever holding
    /// more than some of them in memory.
    ///
    /// ```swift
    /// try Track.query.each(in: context) { track in total += track.bytes }
    /// // SELECT … FROM "track", one statement whose rows are decoded a thousand at a time
    /// ```
    ///
    /// All values are of the snapshot of the read. Relationships are loaded for a thousand at
    /// once.
    ///
    /// - Parameters:
    ///   - batchSize: How many values are decoded at a time, at least 1.
    ///   - context: The context of the read, which the closure may use for other queries.
    ///   - body: Called for each row; an error that it throws ends the loop.
    /// - Throws: what the closure throws, `CancellationError` between two batches after the
    ///   task was cancelled, and what a query throws.
    public func each(
        batchSize: Int = 1000, in context: ReadContext, _ body: (E) throws -> Void
    ) throws {
        try Self.requireUsable(batchSize)
        let request = try request(in: context)
        try context.query { session in
            try session.fetch(request) { cursor in
                while true {
                    var batch: [E] = []
                    try E.decodeRows(&cursor, upTo: batchSize, into: &batch)
                    guard !batch.isEmpty else { return }
                    try context.checkStop()
                    try context.batches.scoped {
                        context.batches.record(batch)
                        try context.load(prefetches, for: batch)
                        try batch.forEach(body)
                    }
                }
            }
        }
    }

    /// Calls a closure with the tracked object of each row, in the order of the query, without ever
    /// holding more than some of them in memory.
    ///
    /// ```swift
    /// try Track.where { $0.price == 0 }.each(in: context) { track in track.price = 1 }
    /// // SELECT "id" … WHERE ("price" = 0) ORDER BY "id", then SELECT … WHERE "id" IN (…)
    /// // and the updates, again and again
    /// ```
    ///
    /// The rows are those that the query selects at the beginning, the write's own changes
    /// included. Each comes once, whatever the closure does to the values that it was selected or
    /// sorted by, but for rows that are deleted before their turn. Rows that are created meanwhile do
    /// not come. Only IDs are kept, a large number of them outside of memory.
    ///
    /// The changes of the closure are flushed to the transaction batch by batch, and objects
    /// that it does not keep are released.
    ///
    /// - Parameters:
    ///   - batchSize: How many objects are fetched at a time, at least 1.
    ///   - context: The context of the write.
    ///   - body: Called for each row; an error that it throws ends the loop.
    /// - Throws: what the closure throws, `CancellationError` between two batches after the
    ///   task was cancelled, and what a query or flushing throws.
    public func each(
        batchSize: Int = 1000, in context: WriteContext, _ body: (Managed<E>) throws -> Void
    ) throws {
        try Self.requireUsable(batchSize)
        let unit = try context.unit(of: E.self)
        let list = try list(of: unit, in: context)
        while true {
            let ids = try list.next(batchSize)
            guard !ids.isEmpty else { return }
            let keys = try context.batches.scoped {
                let objects = try unit.objects(ids, in: context)
                try context.fetched(objects, prefetches)
                for object in objects {
                    // It may be deleted with a row that the closure has deleted.
                    try context.settleDeletions(affecting: unit.entity)
                    if !object.state.contains(.deleted) { try body(object) }
                }
                return objects.map { $0.current.id.rawValue }
            }
            try context.flush()
            if !context.isNested { unit.map.release(keys) }
        }
    }

    /// The IDs of the rows at this moment, in the order of the query.
    private func list(
        of unit: UnitOfWork<E>, in context: WriteContext
    ) throws -> any StoreIDList {
        var request = try request(at: unit.entity)
        if request.order.isEmpty { request.order = [.init(.column(0), descending: false)] }
        let storage = context.schema.entities[unit.entity].columns[0].storage
        return try context.query { session in
            let list = session.makeIDList()
            try session.fetch(ProjectionRequest([.column(0)], of: request)) { cursor in
                while cursor.next() { try list.append(cursor.row.storedValue(storage, at: 0)) }
            }
            return list
        }
    }

    private static func requireUsable(_ batchSize: Int) throws {
        guard batchSize >= 1 else {
            throw DataAccessError(
                .invalidRequest,
                "The batch size of each of \(E.schema.typeName) is \(batchSize); it must be at least 1."
            )
        }
    }
}

extension UnitOfWork {
    /// The objects of the rows with these IDs, in this order, without those whose rows are deleted.
    fileprivate func objects(_ ids: [StoreValue], in context: WriteContext) throws -> [Managed<E>] {
        var objects: [Managed<E>] = []
        try context.query { session in
            try session.fetch(entity: entity, ids: ids) {
                try E.decodeRows(&$0, into: &objects, of: self)
            }
        }
        let byID = Dictionary(objects.map { ($0.current.id, $0) }) { first, _ in first }
        return try ids.compactMap { id in
            byID[try ValueRow([id]).read { try E.ID(row: $0, column: 0) }]
        }
    }
}

extension Entity {
    /// Calls a closure with the value of each row, in the order of their IDs, without ever holding
    /// more than some of them in memory.
    public static func each(
        batchSize: Int = 1000, in context: ReadContext, _ body: (Self) throws -> Void
    ) throws {
        try order { _ in [] }.each(batchSize: batchSize, in: context, body)
    }

    /// Calls a closure with the tracked object of each row, in the order of their IDs, without ever
    /// holding more than some of them in memory.
    public static func each(
        batchSize: Int = 1000, in context: WriteContext, _ body: (Managed<Self>) throws -> Void
    ) throws {
        try order { _ in [] }.each(batchSize: batchSize, in: context, body)
    }
}
