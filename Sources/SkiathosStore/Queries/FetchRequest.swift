/// A request for rows of one entity: condition, order, limit and offset.
public struct FetchRequest: Sendable, Hashable {
    /// One sort key.
    public struct Order: Sendable, Hashable {
        /// The expression to sort by.
        public var expression: StoreExpression
        /// Whether large values come first.
        ///
        /// No value counts as smaller than every value.
        public var descending: Bool

        /// Makes a sort key.
        public init(_ expression: StoreExpression, descending: Bool) {
            self.expression = expression
            self.descending = descending
        }
    }

    /// The position of the entity in the store's schema.
    public var entity: Int
    /// The condition on the rows; without one, all rows.
    public var predicate: StorePredicate?
    /// The sort keys, the most important first.
    ///
    /// Rows that are equal in all of them come in the order of their IDs.
    public var order: [Order]
    /// The largest number of rows to return, at least 0; without one, all rows.
    ///
    /// With a limit or an offset and no sort key, rows come in the order of their IDs.
    public var limit: Int?
    /// How many rows to skip, at least 0.
    public var offset: Int

    /// Makes a request.
    public init(
        entity: Int, predicate: StorePredicate? = nil, order: [Order] = [], limit: Int? = nil,
        offset: Int = 0
    ) {
        self.entity = entity
        self.predicate = predicate
        self.order = order
        self.limit = limit
        self.offset = offset
    }
}
