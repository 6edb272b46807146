/// An operand of conditions, sort keys, assignments and results: a column, or an expression of
/// columns.
///
/// ```swift
/// try Item.all(where: { $0.price * $0.quantity > 100 }, in: context)
/// // SELECT … FROM "item" WHERE (skiathos_integer("price" * "quantity") > 100)
/// ```
public protocol QueryOperand<Root, Value>: Sendable {
    /// The entity whose rows it is computed from.
    associatedtype Root: Entity
    /// The type of its values.
    associatedtype Value: Sendable
    /// The operand in its general form.
    var expression: ColumnExpression<Root, Value> { get }
}
