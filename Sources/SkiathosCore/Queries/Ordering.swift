public import SkiathosStore

/// One sort key of a query.
public struct Ordering<E: Entity>: Sendable {
    @usableFromInline let order: Result<FetchRequest.Order, any Error>
    /// How the values of the key are stored.
    @usableFromInline let storage: StorageClass

    @inlinable
    init(order: Result<FetchRequest.Order, any Error>, storage: StorageClass) {
        self.order = order
        self.storage = storage
    }
}

extension QueryOperand {
    /// Small values first; rows without one come before all.
    @inlinable public var ascending: Ordering<Root> { ordering(descending: false) }

    /// Large values first; rows without one come after all.
    @inlinable public var descending: Ordering<Root> { ordering(descending: true) }

    @inlinable
    func ordering(descending: Bool) -> Ordering<Root> {
        let operand = expression.ordered
        return Ordering(
            order: FetchRequest.Order.ordering(operand.source, descending: descending),
            storage: operand.coding.storage)
    }
}

extension FetchRequest.Order {
    /// The sort key of an expression, or the error that it has.
    @usableFromInline
    static func ordering(
        _ source: Result<StoreExpression, any Error>, descending: Bool
    ) -> Result<FetchRequest.Order, any Error> {
        source.map { FetchRequest.Order($0, descending: descending) }
    }
}

extension Array {
    /// Adds sort keys; too many fail the query.
    @usableFromInline
    mutating func add<E: Entity>(_ keys: [Ordering<E>]) where Element == Ordering<E> {
        if count == 1, case .failure = self[0].order { return }
        self += keys
        guard count > Extent.longestList else { return }
        self = [.refused(Extent.tooLong("sort keys"))]
    }
}

extension Ordering: RowDependent {
    @usableFromInline
    func resolved(_ rows: RowResolution) -> Ordering {
        Ordering(
            order: order.map { key in
                FetchRequest.Order(rows.resolve(key.expression), descending: key.descending)
            }, storage: storage)
    }

    @usableFromInline
    static func refused(_ error: any Error) -> Ordering {
        Ordering(order: .failure(error), storage: .integer)
    }
}
