import SkiathosStore

/// One sort key of a query.
public struct Ordering<E: Entity>: Sendable {
    let order: Result<FetchRequest.Order, any Error>
}

extension QueryOperand {
    /// Small values first; rows without one come before all.
    public var ascending: Ordering<Root> {
        Ordering(order: expression.source.map { .init($0, descending: false) })
    }

    /// Large values first; rows without one come after all.
    public var descending: Ordering<Root> {
        Ordering(order: expression.source.map { .init($0, descending: true) })
    }
}
