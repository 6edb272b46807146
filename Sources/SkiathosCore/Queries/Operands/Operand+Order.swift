public import SkiathosStore

extension QueryOperand where Value: Comparable {
    /// A smaller value.
    @inlinable
    public static func < (operand: Self, value: Value) -> Condition<Root> {
        operand.compare(.less, value)
    }
    /// A smaller value or the same.
    @inlinable
    public static func <= (operand: Self, value: Value) -> Condition<Root> {
        operand.compare(.lessOrEqual, value)
    }
    /// A greater value.
    @inlinable
    public static func > (operand: Self, value: Value) -> Condition<Root> {
        operand.compare(.greater, value)
    }
    /// A greater value or the same.
    @inlinable
    public static func >= (operand: Self, value: Value) -> Condition<Root> {
        operand.compare(.greaterOrEqual, value)
    }
    /// A value in a range.
    ///
    /// ```swift
    /// try User.all(where: { $0.age.in(18..<65) }, in: context)   // "age" >= 18 AND "age" < 65
    /// ```
    public func `in`<R: ColumnRange>(_ range: R) -> Condition<Root> where R.Bound == Value {
        range.condition { self.compare($0, $1) }
    }
}

extension QueryOperand where Value: OptionalColumnValue, Value.Wrapped: Comparable {
    /// A smaller value; `nil` is not smaller.
    @inlinable
    public static func < (operand: Self, value: Value.Wrapped) -> Condition<Root> {
        operand.compare(.less, Value(value))
    }
    /// A smaller value or the same; `nil` is not.
    @inlinable
    public static func <= (operand: Self, value: Value.Wrapped) -> Condition<Root> {
        operand.compare(.lessOrEqual, Value(value))
    }
    /// A greater value; `nil` is not greater.
    @inlinable
    public static func > (operand: Self, value: Value.Wrapped) -> Condition<Root> {
        operand.compare(.greater, Value(value))
    }
    /// A greater value or the same; `nil` is not.
    @inlinable
    public static func >= (operand: Self, value: Value.Wrapped) -> Condition<Root> {
        operand.compare(.greaterOrEqual, Value(value))
    }
    /// A value in a range; `nil` is in none.
    public func `in`<R: ColumnRange>(_ range: R) -> Condition<Root> where R.Bound == Value.Wrapped {
        range.condition { self.compare($0, Value($1)) }
    }
}

/// Values that can be ordered, or may be missing: two operands of the same type can be compared.
public protocol OrderedColumnValue {}

extension Optional: OrderedColumnValue where Wrapped: Comparable {}

extension QueryOperand {
    /// A smaller value than another operand's; never true where one has none.
    public static func < <Other: QueryOperand>(
        left: Self, right: Other
    ) -> Condition<Root> where Other.Root == Root, Other.Value == Value, Value: Comparable {
        left.compare(.less, right.expression)
    }
    /// A smaller value than another operand's or the same.
    public static func <= <Other: QueryOperand>(
        left: Self, right: Other
    ) -> Condition<Root> where Other.Root == Root, Other.Value == Value, Value: Comparable {
        left.compare(.lessOrEqual, right.expression)
    }
    /// A greater value than another operand's; never true where one has none.
    public static func > <Other: QueryOperand>(
        left: Self, right: Other
    ) -> Condition<Root> where Other.Root == Root, Other.Value == Value, Value: Comparable {
        left.compare(.greater, right.expression)
    }
    /// A greater value than another operand's or the same.
    public static func >= <Other: QueryOperand>(
        left: Self, right: Other
    ) -> Condition<Root> where Other.Root == Root, Other.Value == Value, Value: Comparable {
        left.compare(.greaterOrEqual, right.expression)
    }
    /// A smaller value than another operand's; never true where one has none.
    public static func < <Other: QueryOperand>(
        left: Self, right: Other
    ) -> Condition<Root> where Other.Root == Root, Other.Value == Value, Value: OrderedColumnValue {
        left.compare(.less, right.expression)
    }
    /// A greater value than another operand's; never true where one has none.
    public static func > <Other: QueryOperand>(
        left: Self, right: Other
    ) -> Condition<Root> where Other.Root == Root, Other.Value == Value, Value: OrderedColumnValue {
        left.compare(.greater, right.expression)
    }
}
