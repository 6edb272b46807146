import SkiathosStore

/// One sort key of a query.
public struct Ordering<E: Entity>: Sendable {
    let order: Result<FetchRequest.Order, any Error>
    /// How the values of the key are stored.
    let storage: StorageClass
}

extension QueryOperand {
    /// Small values first; rows without one come before all.
    public var ascending: Ordering<Root> { ordering(descending: false) }

    /// Large values first; rows without one come after all.
    public var descending: Ordering<Root> { ordering(descending: true) }

    private func ordering(descending: Bool) -> Ordering<Root> {
        let operand = expression.ordered
        return Ordering(
            order: operand.source.map { .init($0, descending: descending) },
            storage: operand.coding.storage)
    }
}
