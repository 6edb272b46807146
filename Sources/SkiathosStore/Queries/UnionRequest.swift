/// The results of several requests together, of one entity or of many.
///
/// A row has the results in their order, and then the number of the part that it comes from, beginning
/// with 0.
///
/// ```swift
/// UnionRequest([customers, suppliers], distinct: 2, order: [.init(0, descending: false)])
/// // … UNION … ORDER BY 1
/// ```
public struct UnionRequest: Sendable, Hashable {
    /// One sort key.
    public struct Order: Sendable, Hashable {
        /// The position of the result that is sorted by.
        public var result: Int
        /// Whether large values come first.
        ///
        /// No value counts as smaller than every value.
        public var descending: Bool

        /// Makes a sort key.
        public init(_ result: Int, descending: Bool) {
            self.result = result
            self.descending = descending
        }
    }

    /// The requests, each with the same number of results, kept in the same way.
    public var parts: [ProjectionRequest]
    /// How many parts, from the first one on, return equal results once.
    ///
    /// They count as results of the first part that has them.
    public var distinctParts: Int
    /// The sort keys, the most important first.
    ///
    /// Ties are broken by the results.
    public var order: [Order]
    /// The largest number of rows to return, at least 0; without one, all rows.
    public var limit: Int?
    /// How many rows to skip, at least 0.
    public var offset: Int

    /// Makes a request for the results of at least one other.
    public init(
        _ parts: [ProjectionRequest], distinct: Int, order: [Order] = [], limit: Int? = nil,
        offset: Int = 0
    ) {
        self.parts = parts
        distinctParts = distinct
        self.order = order
        self.limit = limit
        self.offset = offset
    }
}
