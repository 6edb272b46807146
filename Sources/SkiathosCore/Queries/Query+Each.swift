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
    /// // SELECT … WHERE … AND ("id" > ?) ORDER BY "id" LIMIT 1001, then the updates, again and again
    /// ```
    ///
    /// The changes of the closure are flushed to the transaction batch by batch, and objects
    /// that it does not keep are released. The rows are those of the moment when their batch
    /// is fetched: a row that the closure moves forward in the order comes again.
    ///
    /// - Parameters:
    ///   - batchSize: How many objects are fetched at a time, at least 1.
    ///   - context: The context of the write.
    ///   - body: Called for each row; an error that it throws ends the loop.
    public func each(
        batchSize: Int = 1000, in context: WriteContext, _ body: (Managed<E>) throws -> Void
    ) throws {
        try Self.requireUsable(batchSize)
        let unit = try context.unit(of: E.self)
        let keys = SortKeys(self, try request(at: unit.entity))
        var left = rowLimit ?? .max
        let unlimited = with { $0.rowLimit = nil }
        var query = unlimited
        while left > 0 {
            let size = Swift.min(left, batchSize)
            let ids = try context.batches.scoped {
                let batch = try query.limit(size).all(in: context)
                if let last = batch.last {
                    // Before the closure changes it.
                    let values = try values(of: keys, for: last.current, unit.entity, in: context)
                    query = unlimited.following(values, keys)
                }
                try batch.forEach(body)
                return batch.map(\.id.rawValue)
            }
            try context.flush()
            if !context.isNested { unit.map.release(ids) }
            guard ids.count == size else { return }
            left -= size
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
