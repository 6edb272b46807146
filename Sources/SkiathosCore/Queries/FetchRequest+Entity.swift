import SkiathosStore

extension FetchRequest {
    /// Translates what a query of an entity asks for.
    init<E: Entity>(
        _ entity: E.Type, position: Int, where condition: (E.Columns) -> Condition<E>,
        orderedBy order: (E.Columns) -> [Ordering<E>] = { _ in [] }, limit: Int? = nil,
        offset: Int = 0
    ) throws {
        if let limit, limit < 0 { throw DataAccessError.negative("limit", limit) }
        if offset < 0 { throw DataAccessError.negative("offset", offset) }
        let predicate = try condition(E.columns).predicate.get()
        self.init(
            entity: position, predicate: predicate == .constant(true) ? nil : predicate,
            order: order(E.columns).map(\.order), limit: limit, offset: offset)
    }
}

extension DataAccessError {
    fileprivate static func negative(_ name: String, _ value: Int) -> DataAccessError {
        DataAccessError(.invalidRequest, "The \(name) is \(value); it cannot be negative.")
    }
}
