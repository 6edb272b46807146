import SkiathosStore

/// A condition on the rows of an entity, built from its columns.
///
/// Conditions are true or false, as in Swift: comparing `nil` with `<` or `==` to a value is
/// false, with `!=` true, and `!` negates either.
public struct Condition<E: Entity>: Sendable {
    // A value that cannot be stored, such as NaN, is found while the condition is made, where
    // nothing can be thrown; the query throws it.
    let predicate: Result<StorePredicate, any Error>

    init(_ predicate: Result<StorePredicate, any Error>) { self.predicate = predicate }

    init(_ predicate: StorePredicate) { self.predicate = .success(predicate) }

    /// True for every row.
    public static var always: Condition { Condition(.constant(true)) }

    /// True for no row.
    public static var never: Condition { Condition(.constant(false)) }

    /// Both are true.
    public static func && (left: Condition, right: Condition) -> Condition {
        left.combined(with: right) { .all([$0, $1]) }
    }

    /// At least one is true.
    public static func || (left: Condition, right: Condition) -> Condition {
        left.combined(with: right) { .any([$0, $1]) }
    }

    /// The condition is false.
    public static prefix func ! (condition: Condition) -> Condition {
        Condition(condition.predicate.map { .not($0) })
    }

    private func combined(
        with other: Condition, _ join: (StorePredicate, StorePredicate) -> StorePredicate
    ) -> Condition {
        Condition(predicate.flatMap { left in other.predicate.map { join(left, $0) } })
    }
}
