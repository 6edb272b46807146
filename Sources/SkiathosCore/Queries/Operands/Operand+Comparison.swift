public import SkiathosStore

extension QueryOperand {
    /// The same value; `== nil` finds rows without one.
    @inlinable
    public static func == (operand: Self, value: Value) -> Condition<Root> {
        operand.compare(.equal, value)
    }

    /// Another value; rows without one differ from every value, and `!= nil` finds rows with one.
    @inlinable
    public static func != (operand: Self, value: Value) -> Condition<Root> {
        operand.compare(.notEqual, value)
    }

    /// The same value as another operand's; two that have none are the same.
    public static func == <Other: QueryOperand>(
        left: Self, right: Other
    ) -> Condition<Root> where Other.Root == Root, Other.Value == Value {
        left.compare(.equal, right.expression)
    }

    /// Another value than another operand's.
    public static func != <Other: QueryOperand>(
        left: Self, right: Other
    ) -> Condition<Root> where Other.Root == Root, Other.Value == Value {
        left.compare(.notEqual, right.expression)
    }

    /// One of these values.
    ///
    /// An empty array is true for no row.
    ///
    /// ```swift
    /// try User.all(where: { $0.age.in([20, 30, 40]) }, in: context)   // "age" IN (20, 30, 40)
    /// ```
    public func `in`(_ values: [Value]) -> Condition<Root> {
        let operand = expression
        return Condition(
            operand.source.flatMap { source in
                Result { .contained(source, try values.map(operand.coding.encode)) }
            })
    }

    /// One of these values.
    public func `in`(_ values: Set<Value>) -> Condition<Root> where Value: Hashable {
        `in`(Array(values))
    }

    // Inlined into users' modules like all that a simple condition is made of: as plain generics
    // these calls cost more than finding a row by an index.
    @inlinable
    func compare(_ comparison: StorePredicate.Comparison, _ value: Value) -> Condition<Root> {
        let operand = comparison.isOfOrder ? expression.ordered : expression
        return Condition(
            .comparing(
                operand.source, comparison, operand.encoded(value),
                .joining(operand.extent, .leaf)))
    }

    func compare(
        _ comparison: StorePredicate.Comparison, _ other: ColumnExpression<Root, Value>
    ) -> Condition<Root> {
        let left = comparison.isOfOrder ? expression.ordered : expression
        return Condition(
            .comparing(
                left.source, comparison, other.source, .joining(left.extent, other.extent)))
    }
}

extension StorePredicate.Comparison {
    /// Whether it compares by order.
    @inlinable var isOfOrder: Bool { self != .equal && self != .notEqual }
}

extension StorePredicate {
    /// A comparison, which is moved to the row that a reference leads to where the result is
    /// the same: a backend can then begin with the few rows that meet it.
    static func comparing(
        _ left: StoreExpression, _ comparison: Comparison, _ right: StoreExpression
    ) -> StorePredicate {
        switch (left, right) {
        case (.outer(let row, let inner), .value):
            .outer(row, comparing(inner, comparison, right))
        case (.through(let reference, let inner), .value(let value))
        where comparison != .notEqual && value != .null:
            .through(reference, comparing(inner, comparison, right))
        default: .comparison(left, comparison, right)
        }
    }
}
