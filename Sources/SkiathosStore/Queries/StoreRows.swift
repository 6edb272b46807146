/// The rows of a query, as a set that other queries of the same entity choose from.
///
/// ```swift
/// .any([.among(StoreRows(order: [.init(.column(2), descending: true)], limit: 3)), …])
/// // "id" IN (SELECT "id" FROM … ORDER BY "age" DESC, "id" LIMIT 3) OR …
/// ```
public struct StoreRows: Sendable, Hashable {
    /// The condition on the rows; without one, all rows.
    public var condition: StorePredicate?
    /// The sort keys, which count only with a limit or an offset.
    public var order: [FetchRequest.Order]
    /// The largest number of rows, at least 0; without one, all rows.
    public var limit: Int?
    /// How many rows to skip, at least 0.
    public var offset: Int

    /// Makes the rows of a query.
    public init(
        where condition: StorePredicate? = nil, order: [FetchRequest.Order] = [],
        limit: Int? = nil, offset: Int = 0
    ) {
        self.condition = condition
        self.order = order
        self.limit = limit
        self.offset = offset
    }

    /// Whether its condition and sort keys concern each row alone, without aggregates.
    var isAboutRows: Bool {
        (condition.map { AggregateRules.isAboutRow($0) } ?? true)
            && order.allSatisfy { AggregateRules.isAboutRow($0.expression) }
    }
}
