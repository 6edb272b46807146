/// Collects the changes of `update(where:set:)` that a closure lists.
///
/// ```swift
/// try User.update(set: { $0.isGuest.set(to: false) }, in: context)
/// try Item.update(
///     set: {
///         $0.price.set(to: $0.price * 2)
///         if isSoldOut { $0.stock.set(to: 0) }
///     }, in: context)
/// // UPDATE "item" SET "price" = …, "stock" = 0
/// ```
@resultBuilder
public enum AssignmentBuilder<E: Entity> {
    /// A change.
    public static func buildExpression(_ change: Assignment<E>) -> [Assignment<E>] { [change] }

    /// Several changes.
    public static func buildExpression(_ changes: [Assignment<E>]) -> [Assignment<E>] { changes }

    /// The changes one after the other.
    public static func buildBlock(_ changes: [Assignment<E>]...) -> [Assignment<E>] {
        changes.flatMap { $0 }
    }

    /// The changes of an `if` without `else`.
    public static func buildOptional(_ changes: [Assignment<E>]?) -> [Assignment<E>] {
        changes ?? []
    }

    /// The changes of an `if`.
    public static func buildEither(first: [Assignment<E>]) -> [Assignment<E>] { first }

    /// The changes of an `else`.
    public static func buildEither(second: [Assignment<E>]) -> [Assignment<E>] { second }

    /// The changes of all rounds of a loop.
    public static func buildArray(_ changes: [[Assignment<E>]]) -> [Assignment<E>] {
        changes.flatMap { $0 }
    }
}

/// Overloads that exist only for their diagnostics: statements that are no change.
extension AssignmentBuilder {
    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message:
            "a column is changed by '$0.age.set(to: 3)' or '$0.age.add(1)', not by an operator of assignment."
    )
    @_disfavoredOverload
    public static func buildExpression(_ nothing: Void) -> [Assignment<E>] {
        preconditionFailure("A column is changed by a function.")
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message: "a comparison changes nothing. Write '$0.age.set(to: 3)' instead of '$0.age == 3'."
    )
    @_disfavoredOverload
    public static func buildExpression<Other>(_ condition: Condition<Other>) -> [Assignment<E>] {
        preconditionFailure("A comparison changes nothing.")
    }
}
