public import SkiathosStore

extension QueryOperand {
    /// The same value as an optional, for comparing it with an operand that may have none.
    ///
    /// ```swift
    /// try Employee.all(where: { $0.hired.optional < $0.manager.hired }, in: context)
    /// ```
    public var optional: ColumnExpression<Root, Value?> {
        let operand = expression
        return ColumnExpression(operand.source, operand.coding.optional, operand.extent)
    }
}

extension QueryOperand where Value: OptionalColumnValue, Value.Wrapped: Sendable {
    /// The operand's value, or this one where it has none.
    ///
    /// ```swift
    /// try User.all(where: { ($0.nickname ?? "none") == "none" }, in: context)
    /// // … WHERE (coalesce("nickname", 'none') = 'none')
    /// ```
    public static func ?? (
        operand: Self, value: Value.Wrapped
    ) -> ColumnExpression<Root, Value.Wrapped> {
        let operand = operand.expression
        let coding = operand.coding.unwrapped
        let fallback = ColumnExpression<Root, Value.Wrapped>(
            Result { .value(try coding.encode(value)) }, coding)
        return .combining(operand, fallback, coding) { .coalesce($0, $1) }
    }

    /// The operand's value, or another one's where it has none.
    public static func ?? <Other: QueryOperand>(
        left: Self, right: Other
    ) -> ColumnExpression<Root, Value.Wrapped>
    where Other.Root == Root, Other.Value == Value.Wrapped {
        let right = right.expression
        return .combining(left.expression, right, right.coding) { .coalesce($0, $1) }
    }

    /// The operand's value, or another one's where it has none, if that has one.
    ///
    /// Without this form the compiler prefers the operator of the standard library, which drops the second
    /// operand.
    public static func ?? (left: Self, right: Self) -> ColumnExpression<Root, Value> {
        let right = right.expression
        return .combining(left.expression, right, right.coding) { .coalesce($0, $1) }
    }

    /// The operand's value, or another one's where it has none, if that has one.
    public static func ?? <Other: QueryOperand>(
        left: Self, right: Other
    ) -> ColumnExpression<Root, Value> where Other.Root == Root, Other.Value == Value {
        let right = right.expression
        return .combining(left.expression, right, right.coding) { .coalesce($0, $1) }
    }
}

extension Condition {
    /// One value where the condition holds, another one where it does not.
    ///
    /// ```swift
    /// try User.select { ($0.name, ($0.age >= 18).then("adult", else: "child")) }.all(in: context)
    /// // SELECT "name", (CASE WHEN ("age" >= 18) THEN 'adult' ELSE 'child' END) FROM "user"
    /// ```
    public func then<V: ColumnValue>(_ value: V, else other: V) -> ColumnExpression<E, V> {
        let coding = ValueCoding(Coding.of(V.self))
        return choose(
            ColumnExpression(Result { .value(try coding.encode(value)) }, coding),
            ColumnExpression(Result { .value(try coding.encode(other)) }, coding))
    }

    /// The value of one operand where the condition holds, that of another where it does not.
    public func then<First: QueryOperand, Second: QueryOperand>(
        _ first: First, else second: Second
    ) -> ColumnExpression<E, First.Value>
    where First.Root == E, Second.Root == E, First.Value == Second.Value {
        choose(first.expression, second.expression)
    }

    /// A value where the condition holds, that of an operand where it does not.
    ///
    /// ```swift
    /// ($0.age < 6).then("infant", else: ($0.age < 18).then("child", else: "adult"))
    /// ```
    public func then<V: ColumnValue, Second: QueryOperand>(
        _ value: V, else second: Second
    ) -> ColumnExpression<E, V> where Second.Root == E, Second.Value == V {
        let second = second.expression
        return choose(second.constant(value), second)
    }

    /// The value of an operand where the condition holds, another one where it does not.
    public func then<First: QueryOperand, V: ColumnValue>(
        _ first: First, else value: V
    ) -> ColumnExpression<E, V> where First.Root == E, First.Value == V {
        let first = first.expression
        return choose(first, first.constant(value))
    }

    private func choose<V>(
        _ first: ColumnExpression<E, V>, _ second: ColumnExpression<E, V>
    ) -> ColumnExpression<E, V> {
        let storage = first.coding.storage
        let choice = predicate.flatMap { condition in
            first.source.flatMap { first in
                second.source.map {
                    StoreExpression.choice(condition, first, $0, storage)
                }
            }
        }
        return ColumnExpression(choice, first.coding)
    }
}

extension StoreExpression {
    /// The first expression where a condition holds, else the second one.
    ///
    /// A decimal number looks like a text to a backend, so a constant has to be marked as a
    /// decimal; otherwise results would be compared as texts.
    static func choice(
        _ condition: StorePredicate, _ first: StoreExpression, _ second: StoreExpression,
        _ storage: StorageClass
    ) -> StoreExpression {
        guard storage == .decimal, case .value(let value) = first, value != .null else {
            return .choose(condition, first, second)
        }
        return .choose(condition, .call(.decimal, [first]), second)
    }
}
