/// Which rows of one entity are wanted, and in which order.
public struct FetchRequest: Sendable, Hashable {
    /// One sort key.
    public struct Order: Sendable, Hashable {
        /// What is sorted by.
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
    /// Which rows; all without one.
    public var predicate: StorePredicate?
    /// The sort keys, the most important first.
    ///
    /// Rows that are equal in all of them come in the order of their IDs.
    public var order: [Order]
    /// The most rows to return, at least 0; all without one.
    ///
    /// With a limit or an offset and no sort key, rows come in the order of their IDs.
    public var limit: Int?
    /// How many rows to pass over, at least 0.
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
