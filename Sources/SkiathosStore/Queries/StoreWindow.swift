/// A window function: a value that a row gets from its place among other rows of a result.
///
/// ```swift
/// StoreWindow(.rank, partition: [.column(2)], order: [.init(.column(3), descending: true)])
/// // rank() OVER (PARTITION BY "category" ORDER BY "price" DESC)
/// ```
///
/// The rows of a partition are those that are equal in all its expressions; without expressions all
/// rows are one partition.
public struct StoreWindow: Sendable, Hashable {
    /// A function over a window.
    public enum Function: Sendable, Hashable {
        /// The number of the row in its partition, from 1. Rows that are equal in the sort keys are
        /// numbered in the order of their IDs.
        case rowNumber
        /// One more than the number of rows that come before all rows that are equal to this one.
        case rank
        /// One more than the number of different sort keys that come before.
        case denseRank
        /// The value of the row a number of places before this one; no value where there is none.
        case previous(StoreExpression, Int)
        /// The value of the row a number of places after this one; no value where there is
        /// none.
        case next(StoreExpression, Int)
        /// Computed from the whole partition if there are no sort keys, else from its rows up to this
        /// one, where rows that are equal in the sort keys come in the order of their IDs.
        case aggregate(StoreAggregate)
    }

    /// The function to compute.
    public var function: Function
    /// The expressions that the rows of a partition have in common (`PARTITION BY`).
    public var partition: [StoreExpression]
    /// The order of the rows in a partition, the most important key first.
    public var order: [FetchRequest.Order]

    /// Makes a window.
    public init(
        _ function: Function, partition: [StoreExpression] = [], order: [FetchRequest.Order] = []
    ) {
        self.function = function
        self.partition = partition
        self.order = order
    }

    /// Everything that is computed from a row before the rows are looked at together.
    var parts: [StoreExpression] {
        let own: [StoreExpression] =
            switch function {
            case .rowNumber, .rank, .denseRank: []
            case .previous(let value, _), .next(let value, _): [value]
            case .aggregate(let aggregate): aggregate.argument.map { [$0] } ?? []
            }
        return own + partition + order.map(\.expression)
    }

    /// Whether its values are those of a column, unchanged.
    var isCopy: Bool {
        switch function {
        case .rowNumber, .rank, .denseRank: false
        case .previous(let value, _), .next(let value, _): value.isCopy
        case .aggregate(let aggregate): aggregate.isCopy
        }
    }
}
