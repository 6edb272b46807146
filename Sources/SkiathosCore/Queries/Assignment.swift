public import SkiathosStore

/// The change of one column by `update(where:set:)`, for every row.
public struct Assignment<E: Entity>: Sendable {
    let assignment: Result<StoreAssignment, any Error>
    /// The row whose column is changed.
    let row: QueryRow
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
            }, row: row)
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
            }, row: row)
    }
}

extension Column where Value: Numeric {
    /// Adds a number, which may be negative, to the column.
    public func add(_ value: Value) -> Assignment<E> {
        Assignment(
            assignment: Result {
                StoreAssignment(column: position, .add(try coding.encode(value)))
            },
            row: row)
    }
}

extension Assignment: RowDependent {
    @usableFromInline
    func resolved(_ rows: RowResolution) -> Assignment {
        Assignment(
            assignment: assignment.map { assignment in
                guard case .set(let expression) = assignment.operation else { return assignment }
                var copy = assignment
                copy.operation = .set(rows.resolve(expression))
                return copy
            }, row: rows.isAbout(row.closure) ? .outermost : row)
    }

    @usableFromInline
    static func refused(_ error: any Error) -> Assignment {
        Assignment(assignment: .failure(error), row: .outermost)
    }
}
