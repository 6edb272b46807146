/// Boolean columns are conditions: negated, and combined with conditions and each other.
///
/// ```swift
/// try User.all(where: { $0.isGuest && !$0.isBlocked || $0.age < 18 }, in: context)
/// // … WHERE (("isGuest" = 1 AND "isBlocked" = 0) OR "age" < 18)
/// ```
///
/// With `&&` and `||` that holds for columns of the entity itself; a column behind a reference
/// is compared with `true`. The operators are for columns alone, and rank below those of
/// conditions, since the compiler would otherwise take seconds for a condition with some
/// arithmetic.
extension QueryOperand where Value == Bool {
    /// The operand is false.
    public static prefix func ! (operand: Self) -> Condition<Root> { operand == false }
}

extension Condition {
    /// Both are true.
    @_disfavoredOverload
    public static func && (left: Column<E, Bool>, right: Condition) -> Condition {
        left == true && right
    }
    /// Both are true.
    @_disfavoredOverload
    public static func && (left: Condition, right: Column<E, Bool>) -> Condition {
        left && right == true
    }
    /// At least one is true.
    @_disfavoredOverload
    public static func || (left: Column<E, Bool>, right: Condition) -> Condition {
        left == true || right
    }
    /// At least one is true.
    @_disfavoredOverload
    public static func || (left: Condition, right: Column<E, Bool>) -> Condition {
        left || right == true
    }
}

extension Column where Value == Bool {
    /// Both are true.
    @_disfavoredOverload
    public static func && (left: Column, right: Column) -> Condition<E> {
        left == true && right == true
    }
    /// At least one is true.
    @_disfavoredOverload
    public static func || (left: Column, right: Column) -> Condition<E> {
        left == true || right == true
    }
}

/// Overloads that exist only for their diagnostics.
extension QueryOperand where Value == Bool? {
    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message:
            "a Bool that may be missing is no condition. Write '$0.isGuest == true' or '$0.isGuest != true'."
    )
    public static prefix func ! (operand: Self) -> Condition<Root> {
        preconditionFailure("A Bool that may be missing is no condition.")
    }
}
