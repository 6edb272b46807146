/// One value that is computed from the rows of an entity.
///
/// ```swift
/// StoreSubquery(Product.schema, StoreAggregate(.average, .column(3), .real))
/// // (SELECT skiathos_average("price") FROM "product")
/// ```
///
/// Its condition and its aggregate may refer to the rows around it by ``StoreExpression/outer(_:_:)``.
public struct StoreSubquery: Sendable, Hashable {
    /// The Swift type of the entity.
    public var entity: ObjectIdentifier
    /// The name of that type, for messages.
    public var entityName: String
    /// The aggregate.
    public var aggregate: StoreAggregate
    /// The condition on the rows; without one, all rows.
    public var condition: StorePredicate?

    /// Makes a subquery about the rows of an entity that meet a condition.
    public init(
        _ entity: EntitySchema, _ aggregate: StoreAggregate, where condition: StorePredicate? = nil
    ) {
        self.entity = entity.type
        self.entityName = entity.typeName
        self.aggregate = aggregate
        self.condition = condition
    }
}

extension StoreSubquery: CustomStringConvertible {
    /// A description of the query that is the same in every process.
    public var description: String {
        "\(entityName) \(aggregate) \(condition.map { "\($0)" } ?? "")"
    }
}
