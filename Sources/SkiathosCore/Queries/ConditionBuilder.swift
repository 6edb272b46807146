/// Combines the conditions that a closure lists: a row has to meet all of them.
///
/// ```swift
/// User.where { $0.age >= 18 && $0.isGuest }
/// // … WHERE ("age" >= 18 AND "isGuest")
///
/// User.where {
///     $0.age >= 18
///     if let city { $0.city == city }
/// }
/// // … WHERE ("age" >= 18 AND "city" = 'Athens'), or without a city … WHERE ("age" >= 18)
/// ```
///
/// An `if` whose condition is false, and a loop that is not entered, exclude no row. A Boolean
/// column is a condition by itself.
@resultBuilder
public enum ConditionBuilder<E: Entity> {
    /// A condition.
    @inlinable
    public static func buildExpression(_ condition: Condition<E>) -> Condition<E> { condition }

    /// A Boolean column or expression is true.
    @inlinable
    public static func buildExpression<Operand: QueryOperand>(
        _ operand: Operand
    ) -> Condition<E> where Operand.Root == E, Operand.Value == Bool { operand == true }

    /// The first condition.
    @inlinable
    public static func buildPartialBlock(first: Condition<E>) -> Condition<E> { first }

    /// The conditions so far and another one.
    @inlinable
    public static func buildPartialBlock(
        accumulated: Condition<E>, next: Condition<E>
    ) -> Condition<E> { accumulated && next }

    /// The conditions of an `if` without `else`.
    @inlinable
    public static func buildOptional(_ condition: Condition<E>?) -> Condition<E> {
        condition ?? .always
    }

    /// The conditions of an `if`.
    @inlinable
    public static func buildEither(first: Condition<E>) -> Condition<E> { first }

    /// The conditions of an `else`.
    @inlinable
    public static func buildEither(second: Condition<E>) -> Condition<E> { second }

    /// The conditions of all rounds of a loop.
    @inlinable
    public static func buildArray(_ conditions: [Condition<E>]) -> Condition<E> {
        conditions.reduce(.always) { $0 && $1 }
    }
}

/// Overloads that exist only for their diagnostics: statements that are no condition.
extension ConditionBuilder {
    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message:
            "a column alone is no condition unless it is a Bool. Compare it, as in '$0.age >= 18' or '$0.name != nil'."
    )
    @_disfavoredOverload
    public static func buildExpression<Operand: QueryOperand>(_ operand: Operand) -> Condition<E> {
        preconditionFailure("A column alone is no condition.")
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message:
            "this condition is about the columns of another entity. Use the columns that the closure gets, or a reference's 'matches'. Mark a condition on a row around with '.outer'."
    )
    @_disfavoredOverload
    public static func buildExpression<Other>(_ condition: Condition<Other>) -> Condition<E> {
        preconditionFailure("The condition is about another entity.")
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message:
            "the store needs a condition that it can ask of each row, not a Bool of Swift. Compare columns, or write '.always' or '.never'."
    )
    @_disfavoredOverload
    public static func buildExpression(_ condition: Bool) -> Condition<E> {
        preconditionFailure("A Bool of Swift is no condition.")
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message: "an assignment is no condition. Compare with '==' instead of '='."
    )
    @_disfavoredOverload
    public static func buildExpression(_ nothing: Void) -> Condition<E> {
        preconditionFailure("An assignment is no condition.")
    }
}
