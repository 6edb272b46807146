/// A request for results that are computed from the rows of one entity.
///
/// ```swift
/// ProjectionRequest(
///     [.column(3), .aggregate(StoreAggregate(.count, nil, .integer))],
///     of: FetchRequest(entity: 0), groupedBy: [.column(3)])
/// // SELECT "country", count(*) FROM "customer" GROUP BY "country"
/// ```
public struct ProjectionRequest: Sendable, Hashable {
    /// The results, in this order.
    public var results: [StoreExpression]
    /// The rows that the results are computed from.
    ///
    /// Its sort keys, limit and offset apply to the results: rows, groups, or distinct
    /// results.
    public var rows: FetchRequest
    /// The expressions that the rows of a group have in common (`GROUP BY`).
    ///
    /// With aggregates and without groups, all rows are one group, even if there are none.
    public var groups: [StoreExpression]
    /// The condition on the groups; without one, all groups.
    public var having: StorePredicate?
    /// Whether results that are the same count once.
    public var isDistinct: Bool

    /// Makes a request.
    public init(
        _ results: [StoreExpression], of rows: FetchRequest,
        groupedBy groups: [StoreExpression] = [],
        having: StorePredicate? = nil, isDistinct: Bool = false
    ) {
        self.results = results
        self.rows = rows
        self.groups = groups
        self.having = having
        self.isDistinct = isDistinct
    }

    /// Whether one result is computed from several rows.
    public var isAggregated: Bool {
        !groups.isEmpty || having != nil || results.contains(where: \.containsAggregate)
            || rows.order.contains { $0.expression.containsAggregate }
    }
}
