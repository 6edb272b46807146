public import SkiathosPlatformFoundation

// Combinations of types that do not fit are declared for their diagnostics: without these the
// compiler names an operator of another module, or has no message at all.

/// Operands of different types.
extension QueryOperand {
    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message:
            "both sides need the same type. Write '.asDecimal' or '.asDouble' after an integer, and '?? 0' after a column that may have no value."
    )
    @_disfavoredOverload
    public static func + <Other: QueryOperand>(
        left: Self, right: Other
    ) -> ColumnExpression<Root, Value> where Other.Root == Root {
        preconditionFailure("Operands of different types are not added.")
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message:
            "both sides need the same type. Write '.asDecimal' or '.asDouble' after an integer, and '?? 0' after a column that may have no value."
    )
    @_disfavoredOverload
    public static func - <Other: QueryOperand>(
        left: Self, right: Other
    ) -> ColumnExpression<Root, Value> where Other.Root == Root {
        preconditionFailure("Operands of different types are not subtracted.")
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message:
            "both sides need the same type. Write '.asDecimal' or '.asDouble' after an integer, and '?? 0' after a column that may have no value."
    )
    @_disfavoredOverload
    public static func * <Other: QueryOperand>(
        left: Self, right: Other
    ) -> ColumnExpression<Root, Value> where Other.Root == Root {
        preconditionFailure("Operands of different types are not multiplied.")
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message:
            "both sides need the same type. Write '.asDecimal' or '.asDouble' after an integer, and '?? 0' after a column that may have no value."
    )
    @_disfavoredOverload
    public static func / <Other: QueryOperand>(
        left: Self, right: Other
    ) -> ColumnExpression<Root, Value> where Other.Root == Root {
        preconditionFailure("Operands of different types are not divided.")
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message:
            "both sides need the same type. Write '.optional' after the one that always has a value, or '.asDecimal' or '.asDouble' after an integer."
    )
    @_disfavoredOverload
    public static func == <Other: QueryOperand>(
        left: Self, right: Other
    ) -> Condition<Root> where Other.Root == Root {
        preconditionFailure("Operands of different types are not compared.")
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message:
            "both sides need the same type. Write '.optional' after the one that always has a value, or '.asDecimal' or '.asDouble' after an integer."
    )
    @_disfavoredOverload
    public static func < <Other: QueryOperand>(
        left: Self, right: Other
    ) -> Condition<Root> where Other.Root == Root {
        preconditionFailure("Operands of different types are not compared.")
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message:
            "both sides need the same type. Write '.optional' after the one that always has a value, or '.asDecimal' or '.asDouble' after an integer."
    )
    @_disfavoredOverload
    public static func > <Other: QueryOperand>(
        left: Self, right: Other
    ) -> Condition<Root> where Other.Root == Root {
        preconditionFailure("Operands of different types are not compared.")
    }
}

/// Numbers that may be missing.
extension QueryOperand where Value: OptionalColumnValue, Value.Wrapped: Numeric & Sendable {
    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message:
            "a row may have no value here. Write '($0.price ?? 0) + 1' with what it then counts as."
    )
    @_disfavoredOverload
    public static func + (
        operand: Self, value: Value.Wrapped
    ) -> ColumnExpression<Root, Value.Wrapped> {
        preconditionFailure("A number that may be missing is not added to.")
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message:
            "a row may have no value here. Write '($0.price ?? 0) - 1' with what it then counts as."
    )
    @_disfavoredOverload
    public static func - (
        operand: Self, value: Value.Wrapped
    ) -> ColumnExpression<Root, Value.Wrapped> {
        preconditionFailure("A number that may be missing is not subtracted from.")
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message:
            "a row may have no value here. Write '($0.price ?? 0) * 2' with what it then counts as."
    )
    @_disfavoredOverload
    public static func * (
        operand: Self, value: Value.Wrapped
    ) -> ColumnExpression<Root, Value.Wrapped> {
        preconditionFailure("A number that may be missing is not multiplied.")
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message:
            "a row may have no value here. Write '($0.price ?? 0) / 2' with what it then counts as."
    )
    @_disfavoredOverload
    public static func / (
        operand: Self, value: Value.Wrapped
    ) -> ColumnExpression<Root, Value.Wrapped> {
        preconditionFailure("A number that may be missing is not divided.")
    }
}

/// Decimal numbers and whole ones: what is computed is exact.
///
/// ```swift
/// try Line.select { $0.price * $0.quantity }.all(in: context)   // [Decimal]
/// ```
extension QueryOperand where Value == Decimal {
    /// The product with a whole number.
    public static func * <Other: QueryOperand>(
        left: Self, right: Other
    ) -> ColumnExpression<Root, Decimal> where Other.Root == Root, Other.Value: BinaryInteger {
        left * right.asDecimal
    }
}

extension QueryOperand where Value: BinaryInteger {
    /// The product with a decimal number.
    public static func * <Other: QueryOperand>(
        left: Self, right: Other
    ) -> ColumnExpression<Root, Decimal> where Other.Root == Root, Other.Value == Decimal {
        left.asDecimal * right
    }
}

/// Values of another type than the column's.
extension QueryOperand {
    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message:
            "a column is compared with a value of its own type. Convert the value, or unwrap it if it is optional. Mark a column of a row of another entity around with '.outer'."
    )
    @_disfavoredOverload
    public static func == <Other>(operand: Self, value: Other) -> Condition<Root> {
        preconditionFailure("A column is compared with a value of its own type.")
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message:
            "a column is compared with a value of its own type. Convert the value, or unwrap it if it is optional. Mark a column of a row of another entity around with '.outer'."
    )
    @_disfavoredOverload
    public static func != <Other>(operand: Self, value: Other) -> Condition<Root> {
        preconditionFailure("A column is compared with a value of its own type.")
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message:
            "a column is compared with a value of its own type. Convert the value, or unwrap it if it is optional. Mark a column of a row of another entity around with '.outer'."
    )
    @_disfavoredOverload
    public static func < <Other>(operand: Self, value: Other) -> Condition<Root> {
        preconditionFailure("A column is compared with a value of its own type.")
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message:
            "a column is compared with a value of its own type. Convert the value, or unwrap it if it is optional. Mark a column of a row of another entity around with '.outer'."
    )
    @_disfavoredOverload
    public static func <= <Other>(operand: Self, value: Other) -> Condition<Root> {
        preconditionFailure("A column is compared with a value of its own type.")
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message:
            "a column is compared with a value of its own type. Convert the value, or unwrap it if it is optional. Mark a column of a row of another entity around with '.outer'."
    )
    @_disfavoredOverload
    public static func > <Other>(operand: Self, value: Other) -> Condition<Root> {
        preconditionFailure("A column is compared with a value of its own type.")
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message:
            "a column is compared with a value of its own type. Convert the value, or unwrap it if it is optional. Mark a column of a row of another entity around with '.outer'."
    )
    @_disfavoredOverload
    public static func >= <Other>(operand: Self, value: Other) -> Condition<Root> {
        preconditionFailure("A column is compared with a value of its own type.")
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable, message: "this column always has a value, so that it never equals nil."
    )
    @_disfavoredOverload
    public static func == (operand: Self, none: _OptionalNilComparisonType) -> Condition<Root> {
        preconditionFailure("The column always has a value.")
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable, message: "this column always has a value, so that it never equals nil."
    )
    @_disfavoredOverload
    public static func != (operand: Self, none: _OptionalNilComparisonType) -> Condition<Root> {
        preconditionFailure("The column always has a value.")
    }
}
