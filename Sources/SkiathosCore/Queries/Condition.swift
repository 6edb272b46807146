public import SkiathosStore

/// A condition on the rows of an entity, built from its columns.
///
/// Conditions are true or false, as in Swift: comparing `nil` with `<` or `==` to a value is
/// false, with `!=` true, and `!` negates either.
@dynamicMemberLookup
public struct Condition<E: Entity>: Sendable {
    @usableFromInline let built: BuiltCondition

    @inlinable
    init(_ built: BuiltCondition) { self.built = built }

    @inlinable
    init(_ predicate: Result<StorePredicate, any Error>) { built = BuiltCondition(predicate) }

    @inlinable
    init(_ predicate: StorePredicate) { self.init(.success(predicate)) }

    /// The condition for the store, or the first mistake in it.
    @inlinable var predicate: Result<StorePredicate, any Error> { built.predicate }

    /// True for every row.
    @inlinable public static var always: Condition { constant(true) }

    /// True for no row.
    @inlinable public static var never: Condition { constant(false) }

    @inlinable
    static func constant(_ value: Bool) -> Condition {
        Condition(BuiltCondition(.success(.constant(value)), .leaf))
    }

    /// Both are true.
    @inlinable
    public static func && (left: Condition, right: Condition) -> Condition {
        Condition(.joining(left.built, right.built, isAll: true))
    }

    /// At least one is true.
    @inlinable
    public static func || (left: Condition, right: Condition) -> Condition {
        Condition(.joining(left.built, right.built, isAll: false))
    }

    /// The condition is false.
    @inlinable
    public static prefix func ! (condition: Condition) -> Condition {
        Condition(condition.built.negated)
    }
}

extension Condition: RowDependent {
    @usableFromInline
    func resolved(_ rows: RowResolution) -> Condition {
        Condition(built.resolved(rows))
    }

    @usableFromInline
    static func refused(_ error: any Error) -> Condition {
        Condition(BuiltCondition(.failure(error), .leaf))
    }
}
