public import SkiathosStore

/// A column of an entity, for conditions, sort keys and assignments.
///
/// ```swift
/// try User.all(where: { $0.age >= 18 && $0.lastname.hasPrefix("Lo") }, in: context)
/// // SELECT … FROM "user" WHERE "age" >= 18 AND "lastname" >= 'Lo' AND "lastname" < 'Lp'
/// ```
///
/// Comparing with a value of another type does not compile. The columns of the entity that a
/// reference leads to are members of the reference's column:
///
/// ```swift
/// try User.all(where: { $0.company.name.hasPrefix("A") }, in: context)
/// ```
public struct Column<E: Entity, Value: Sendable>: ColumnPath {
    /// The position in the entity's schema.
    public let position: Int

    /// The row that the column belongs to.
    public let row: QueryRow

    @usableFromInline let coding: ValueCoding<Value>

    /// Makes the column at a position of the entity's schema.
    ///
    /// Made in ``Entity/makeColumns()``, it belongs to the row of the closure that the columns are for.
    @inlinable
    public init<C: ColumnCoding>(_ position: Int, _ coding: C.Type) where C.Value == Value {
        self.init(position, ValueCoding(C.self), of: RowClosure.rowOfNewColumns(E.self))
    }

    @usableFromInline
    init(_ position: Int, _ coding: ValueCoding<Value>, of row: QueryRow) {
        self.position = position
        self.coding = coding
        self.row = row
    }

    /// The column in the general form of operands.
    @inlinable public var expression: ColumnExpression<E, Value> {
        let column = StoreExpression.column(position)
        guard row == .outermost else { return ColumnExpression(row.of(E.self, column), coding) }
        return ColumnExpression(.success(column), coding, .leaf)
    }

    /// The positions of the references that lead to the column, and its own.
    public var path: [Int] { [position] }
}
