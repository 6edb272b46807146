public import PlatformFoundation

// What does not go together is declared for the sake of the compiler's message: without these it names
// an operator of another module, or finds no words at all.

/// Operands of different types.
extension QueryOperand {
    /// For the sake of the compiler's message.
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

    /// For the sake of the compiler's message.
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

    /// For the sake of the compiler's message.
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

    /// For the sake of the compiler's message.
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

    /// For the sake of the compiler's message.
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

    /// For the sake of the compiler's message.
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

    /// For the sake of the compiler's message.
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
    /// For the sake of the compiler's message.
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

    /// For the sake of the compiler's message.
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

    /// For the sake of the compiler's message.
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

    /// For the sake of the compiler's message.
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
    /// For the sake of the compiler's message.
    @available(
        *, unavailable,
        message:
            "a column is compared with a value of its own type. Convert the value, or unwrap it if it is optional."
    )
    @_disfavoredOverload
    public static func == <Other>(operand: Self, value: Other) -> Condition<Root> {
        preconditionFailure("A column is compared with a value of its own type.")
    }

    /// For the sake of the compiler's message.
    @available(
        *, unavailable,
        message:
            "a column is compared with a value of its own type. Convert the value, or unwrap it if it is optional."
    )
    @_disfavoredOverload
    public static func != <Other>(operand: Self, value: Other) -> Condition<Root> {
        preconditionFailure("A column is compared with a value of its own type.")
    }

    /// For the sake of the compiler's message.
    @available(
        *, unavailable,
        message:
            "a column is compared with a value of its own type. Convert the value, or unwrap it if it is optional."
    )
    @_disfavoredOverload
    public static func < <Other>(operand: Self, value: Other) -> Condition<Root> {
        preconditionFailure("A column is compared with a value of its own type.")
    }

    /// For the sake of the compiler's message.
    @available(
        *, unavailable,
        message:
            "a column is compared with a value of its own type. Convert the value, or unwrap it if it is optional."
    )
    @_disfavoredOverload
    public static func <= <Other>(operand: Self, value: Other) -> Condition<Root> {
        preconditionFailure("A column is compared with a value of its own type.")
    }

    /// For the sake of the compiler's message.
    @available(
        *, unavailable,
        message:
            "a column is compared with a value of its own type. Convert the value, or unwrap it if it is optional."
    )
    @_disfavoredOverload
    public static func > <Other>(operand: Self, value: Other) -> Condition<Root> {
        preconditionFailure("A column is compared with a value of its own type.")
    }

    /// For the sake of the compiler's message.
    @available(
        *, unavailable,
        message:
            "a column is compared with a value of its own type. Convert the value, or unwrap it if it is optional."
    )
    @_disfavoredOverload
    public static func >= <Other>(operand: Self, value: Other) -> Condition<Root> {
        preconditionFailure("A column is compared with a value of its own type.")
    }

    /// For the sake of the compiler's message.
    @available(
        *, unavailable, message: "this column always has a value, so that it never equals nil."
    )
    @_disfavoredOverload
    public static func == (operand: Self, none: _OptionalNilComparisonType) -> Condition<Root> {
        preconditionFailure("The column always has a value.")
    }

    /// For the sake of the compiler's message.
    @available(
        *, unavailable, message: "this column always has a value, so that it never equals nil."
    )
    @_disfavoredOverload
    public static func != (operand: Self, none: _OptionalNilComparisonType) -> Condition<Root> {
        preconditionFailure("The column always has a value.")
    }
}
