import SkiathosStore

/// The rows of a result among which a row has its position: those that are equal to it in some
/// operands.
///
/// ```swift
/// try Product.select { ($0.name, $0.price.descending.rank(within: .by($0.category, $0.size))) }
///     .all(in: context)
/// // rank() OVER (PARTITION BY "category", "size" ORDER BY "price" DESC)
/// ```
public struct Partition<E: Entity>: Sendable {
    let expressions: Result<[StoreExpression], any Error>

    /// All rows of the result.
    public static var all: Partition { Partition(expressions: .success([])) }

    /// The rows that are equal in all of these operands.
    public static func by<each Operand: QueryOperand>(
        _ operands: repeat each Operand
    ) -> Partition {
        Partition(
            expressions: OperandList<E, repeat (each Operand).Value>(repeat each operands).sources)
    }
}

extension Partition {
    /// A function that is computed from these rows.
    func expression<Value>(
        _ function: Result<StoreWindow.Function, any Error>, by keys: [Ordering<E>],
        _ coding: ValueCoding<Value>
    ) -> ColumnExpression<E, Value> {
        ColumnExpression(
            Result {
                .window(
                    StoreWindow(
                        try function.get(), partition: try expressions.get(),
                        order: try keys.map { try $0.order.get() }))
            }, coding)
    }
}
