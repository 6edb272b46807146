import SkiathosStore

/// One sort key of a query.
public struct Ordering<E: Entity>: Sendable {
    let order: FetchRequest.Order

    init(_ order: FetchRequest.Order) { self.order = order }
}

extension Column {
    /// Small values first; rows without one come before all.
    public var ascending: Ordering<E> {
        Ordering(.init(ColumnOperand(position), descending: false))
    }

    /// Large values first; rows without one come after all.
    public var descending: Ordering<E> {
        Ordering(.init(ColumnOperand(position), descending: true))
    }
}
