import SkiathosStore

/// Which rows a query has, and in which order, where the columns of a row decide both.
struct ListRules: Sendable {
    /// The position of the entity.
    let entity: Int
    /// The order of the rows: that of their IDs without sort keys, where the store may have another.
    let order: RowOrder
    /// The columns that decide where a row is; of a query without sort keys, those by which a store
    /// may find the rows, and so those that may decide it.
    let placeColumns: ColumnSet
    /// The condition of the rows; `nil` for all rows.
    private let condition: RowCondition?

    /// - Returns: `nil` for a query of which other rows or functions of the store decide the result, or
    ///   with a limit or an offset.
    init?<E: Entity>(_ query: Query<E>, in schema: StoreSchema) {
        guard let position = schema.position(of: E.self),
            let request = try? query.request(at: position),
            request.dependencies(in: schema).allSatisfy({ $0.entity == position }),
            let order = RowOrder(request, of: schema.entities[position])
        else { return nil }
        let condition = request.predicate.map { RowCondition($0, of: schema.entities[position]) }
        guard condition?.isDecidable != false else { return nil }
        entity = position
        self.order = order
        self.condition = condition
        placeColumns =
            order.hasKeys
            ? order.columns
            : schema.entities[position].searchedColumns.union(condition?.columns ?? [])
    }

    /// Whether a row is one of the query; `nil` if that cannot be decided.
    ///
    /// - Parameter row: The values of all columns, in the order of the schema; `nil` for no row.
    func contains(_ row: [StoreValue]?) -> Bool? {
        guard let row else { return false }
        guard let condition else { return true }
        return condition.answer(for: row)
    }
}

extension EntitySchema {
    /// The ID and the columns of all indexes.
    fileprivate var searchedColumns: ColumnSet {
        ColumnSet([0] + indexedColumns + uniqueKeys.joined() + referenceColumns + searchable)
    }
}
