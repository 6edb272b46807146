public import SkiathosStore

/// A condition on the rows of an entity, built from its columns.
///
/// Conditions are true or false, as in Swift: comparing `nil` with `<` or `==` to a value is
/// false, with `!=` true, and `!` negates either.
@dynamicMemberLookup
public struct Condition<E: Entity>: Sendable {
    // A value that cannot be stored, such as NaN, is found while the condition is made, where
    // nothing can be thrown; the query throws it.
    @usableFromInline let predicate: Result<StorePredicate, any Error>

    @inlinable
    init(_ predicate: Result<StorePredicate, any Error>) { self.predicate = predicate }

    @inlinable
    init(_ predicate: StorePredicate) { self.predicate = .success(predicate) }

    /// True for every row.
    @inlinable public static var always: Condition { Condition(.constant(true)) }

    /// True for no row.
    @inlinable public static var never: Condition { Condition(.constant(false)) }

    /// Both are true.
    @inlinable
    public static func && (left: Condition, right: Condition) -> Condition {
        Condition(.joining(left.predicate, right.predicate, isAll: true))
    }

    /// At least one is true.
    @inlinable
    public static func || (left: Condition, right: Condition) -> Condition {
        Condition(.joining(left.predicate, right.predicate, isAll: false))
    }

    /// The condition is false.
    @inlinable
    public static prefix func ! (condition: Condition) -> Condition {
        Condition(condition.predicate.negated)
    }
}

extension Condition: RowDependent {
    @usableFromInline
    func resolved(_ rows: RowResolution) -> Condition {
        Condition(predicate.map { rows.resolve($0) })
    }

    @usableFromInline
    static func refused(_ error: any Error) -> Condition { Condition(.failure(error)) }
}
