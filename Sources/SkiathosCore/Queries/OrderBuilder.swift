/// Collects the sort keys of a query that a closure lists, the most important first.
///
/// ```swift
/// User.order { $0.lastname }                                    // ORDER BY "lastname"
/// User.order { [$0.age.descending, $0.lastname.ascending] }     // ORDER BY "age" DESC, "lastname"
/// User.order {
///     if byAge { $0.age.descending }
///     $0.lastname
/// }
/// ```
///
/// A column without a direction is in ascending order, as in SQL.
@resultBuilder
public enum OrderBuilder<E: Entity> {
    /// A sort key.
    @inlinable
    public static func buildExpression(_ key: Ordering<E>) -> [Ordering<E>] { [key] }

    /// Several sort keys.
    @inlinable
    public static func buildExpression(_ keys: [Ordering<E>]) -> [Ordering<E>] { keys }

    /// Small values of a column first.
    @inlinable
    public static func buildExpression<Operand: QueryOperand>(
        _ operand: Operand
    ) -> [Ordering<E>] where Operand.Root == E { [operand.ascending] }

    /// The sort keys one after the other.
    @inlinable
    public static func buildBlock(_ keys: [Ordering<E>]...) -> [Ordering<E>] {
        keys.flatMap { $0 }
    }

    /// The sort keys of an `if` without `else`.
    @inlinable
    public static func buildOptional(_ keys: [Ordering<E>]?) -> [Ordering<E>] { keys ?? [] }

    /// The sort keys of an `if`.
    @inlinable
    public static func buildEither(first: [Ordering<E>]) -> [Ordering<E>] { first }

    /// The sort keys of an `else`.
    @inlinable
    public static func buildEither(second: [Ordering<E>]) -> [Ordering<E>] { second }

    /// The sort keys of all rounds of a loop.
    @inlinable
    public static func buildArray(_ keys: [[Ordering<E>]]) -> [Ordering<E>] { keys.flatMap { $0 } }
}

/// Overloads that exist only for their diagnostics: statements that are no sort key.
extension OrderBuilder {
    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message:
            "several sort keys stand in an array, or each in a line of its own: '{ [$0.age.descending, $0.name.ascending] }'."
    )
    @_disfavoredOverload
    public static func buildExpression<First, Second, each Other>(
        _ keys: (First, Second, repeat each Other)
    ) -> [Ordering<E>] {
        preconditionFailure("A tuple is no sort key.")
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message:
            "a condition is no sort key. Write '$0.age' or '$0.age.descending', or filter with 'where'."
    )
    @_disfavoredOverload
    public static func buildExpression<Other>(_ condition: Condition<Other>) -> [Ordering<E>] {
        preconditionFailure("A condition is no sort key.")
    }
}
