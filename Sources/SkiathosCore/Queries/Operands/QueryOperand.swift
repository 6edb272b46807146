/// What conditions, sort keys, assignments and results are made of: a column, or what is computed
/// from columns.
///
/// ```swift
/// try Item.all(where: { $0.price * $0.quantity > 100 }, in: context)
/// // SELECT … FROM "item" WHERE (skiathos_integer("price" * "quantity") > 100)
/// ```
public protocol QueryOperand<Root, Value>: Sendable {
    /// The entity whose rows it is computed from.
    associatedtype Root: Entity
    /// What comes out.
    associatedtype Value: Sendable
    /// The operand in its general form.
    var expression: ColumnExpression<Root, Value> { get }
}
