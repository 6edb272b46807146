import SkiathosStore

extension Column {
    /// The same value; `== nil` finds rows without one.
    public static func == (column: Column, value: Value) -> Condition<E> {
        column.compare(.equal, value)
    }

    /// Another value; rows without one differ from every value, and `!= nil` finds rows with one.
    public static func != (column: Column, value: Value) -> Condition<E> {
        column.compare(.notEqual, value)
    }

    /// One of these values.
    ///
    /// An empty array is true for no row.
    ///
    /// ```swift
    /// try User.all(where: { $0.age.in([20, 30, 40]) }, in: context)   // "age" IN (20, 30, 40)
    /// ```
    public func `in`(_ values: [Value]) -> Condition<E> {
        Condition(Result { .contained(ColumnOperand(position), try values.map(encode)) })
    }

    /// One of these values.
    public func `in`(_ values: Set<Value>) -> Condition<E> where Value: Hashable {
        `in`(Array(values))
    }

    func compare(_ comparison: StorePredicate.Comparison, _ value: Value) -> Condition<E> {
        Condition(Result { .comparison(ColumnOperand(position), comparison, try encode(value)) })
    }
}

extension Column where Value: Comparable {
    /// A smaller value.
    public static func < (column: Column, value: Value) -> Condition<E> {
        column.compare(.less, value)
    }
    /// A smaller value or the same.
    public static func <= (column: Column, value: Value) -> Condition<E> {
        column.compare(.lessOrEqual, value)
    }
    /// A greater value.
    public static func > (column: Column, value: Value) -> Condition<E> {
        column.compare(.greater, value)
    }
    /// A greater value or the same.
    public static func >= (column: Column, value: Value) -> Condition<E> {
        column.compare(.greaterOrEqual, value)
    }
    /// A value in a range.
    ///
    /// ```swift
    /// try User.all(where: { $0.age.in(18..<65) }, in: context)   // "age" >= 18 AND "age" < 65
    /// ```
    public func `in`<R: ColumnRange>(_ range: R) -> Condition<E> where R.Bound == Value {
        range.condition { self.compare($0, $1) }
    }
}

/// Optionals, whose columns are compared with what they wrap.
public protocol OptionalColumnValue<Wrapped> {
    /// What there may be.
    associatedtype Wrapped
    /// Wraps a value.
    init(_ some: Wrapped)
}

extension Optional: OptionalColumnValue {}

extension Column where Value: OptionalColumnValue, Value.Wrapped: Comparable {
    /// A smaller value; `nil` is not smaller.
    public static func < (column: Column, value: Value.Wrapped) -> Condition<E> {
        column.compare(.less, Value(value))
    }
    /// A smaller value or the same; `nil` is not.
    public static func <= (column: Column, value: Value.Wrapped) -> Condition<E> {
        column.compare(.lessOrEqual, Value(value))
    }
    /// A greater value; `nil` is not greater.
    public static func > (column: Column, value: Value.Wrapped) -> Condition<E> {
        column.compare(.greater, Value(value))
    }
    /// A greater value or the same; `nil` is not.
    public static func >= (column: Column, value: Value.Wrapped) -> Condition<E> {
        column.compare(.greaterOrEqual, Value(value))
    }
    /// A value in a range; `nil` is in none.
    public func `in`<R: ColumnRange>(_ range: R) -> Condition<E> where R.Bound == Value.Wrapped {
        range.condition { self.compare($0, Value($1)) }
    }
}
