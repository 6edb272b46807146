import SkiathosStore

/// The change of one column by `update(where:set:)`, for every row.
public struct Assignment<E: Entity>: Sendable {
    let assignment: Result<StoreAssignment, any Error>
}

extension Column {
    /// Sets the column to a value.
    ///
    /// ```swift
    /// try User.update(where: { $0.age >= 65 }, set: { [$0.isRetired.set(to: true)] }, in: context)
    /// // UPDATE "user" SET "isRetired" = 1 WHERE "age" >= 65
    /// ```
    public func set(to value: Value) -> Assignment<E> {
        Assignment(
            assignment: Result {
                StoreAssignment(column: position, .set(.value(try coding.encode(value))))
            })
    }

    /// Sets the column to an expression of the row as it was.
    ///
    /// ```swift
    /// try Item.update(set: { [$0.total.set(to: $0.price * $0.quantity)] }, in: context)
    /// // UPDATE "item" SET "total" = skiathos_integer("price" * "quantity")
    /// ```
    public func set<Operand: QueryOperand>(
        to operand: Operand
    ) -> Assignment<E> where Operand.Root == E, Operand.Value == Value {
        Assignment(
            assignment: operand.expression.source.map {
                StoreAssignment(column: position, .set($0))
            })
    }
}

extension Column where Value: Numeric {
    /// Adds a number, which may be negative, to the column.
    public func add(_ value: Value) -> Assignment<E> {
        Assignment(
            assignment: Result { StoreAssignment(column: position, .add(try coding.encode(value))) }
        )
    }
}
