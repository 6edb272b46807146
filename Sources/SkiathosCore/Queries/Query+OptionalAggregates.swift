public import SkiathosPlatformFoundation
import SkiathosStore

/// Aggregates of columns that may be `nil`, and means of decimal numbers: rows without a value
/// do not count.
///
/// ```swift
/// try User.max(of: { $0.nickname }, in: context)     // SELECT max("nickname") FROM "user"
/// ```
extension Query {
    /// The minimum of the values that are not `nil`; `nil` if there are none.
    public func min<Operand: QueryOperand>(
        of operand: (E.Columns) -> Operand, in context: some QueryContext
    ) throws -> Operand.Value
    where Operand.Root == E, Operand.Value: OptionalColumnValue, Operand.Value.Wrapped: Comparable {
        try aggregate({ operand($0).min }, in: context)
    }

    /// The maximum of the values that are not `nil`; `nil` if there are none.
    public func max<Operand: QueryOperand>(
        of operand: (E.Columns) -> Operand, in context: some QueryContext
    ) throws -> Operand.Value
    where Operand.Root == E, Operand.Value: OptionalColumnValue, Operand.Value.Wrapped: Comparable {
        try aggregate({ operand($0).max }, in: context)
    }

    /// The mean of decimal numbers; `nil` for no rows.
    public func average<Operand: QueryOperand>(
        of operand: (E.Columns) -> Operand, in context: some QueryContext
    ) throws -> Decimal? where Operand.Root == E, Operand.Value == Decimal {
        try aggregate({ operand($0).average }, in: context)
    }

    /// The mean of the decimal numbers that are not `nil`; `nil` if there are none.
    public func average<Operand: QueryOperand>(
        of operand: (E.Columns) -> Operand, in context: some QueryContext
    ) throws -> Decimal? where Operand.Root == E, Operand.Value == Decimal? {
        try aggregate({ operand($0).average }, in: context)
    }
}

extension Entity {
    /// The minimum of the values that are not `nil`; `nil` if there are none.
    public static func min<Operand: QueryOperand>(
        of operand: (Columns) -> Operand,
        @ConditionBuilder<Self> where condition: (Columns) -> Condition<Self> = { _ in .always },
        in context: some QueryContext
    ) throws -> Operand.Value
    where
        Operand.Root == Self, Operand.Value: OptionalColumnValue, Operand.Value.Wrapped: Comparable
    {
        try Self.where(condition).min(of: operand, in: context)
    }

    /// The maximum of the values that are not `nil`; `nil` if there are none.
    public static func max<Operand: QueryOperand>(
        of operand: (Columns) -> Operand,
        @ConditionBuilder<Self> where condition: (Columns) -> Condition<Self> = { _ in .always },
        in context: some QueryContext
    ) throws -> Operand.Value
    where
        Operand.Root == Self, Operand.Value: OptionalColumnValue, Operand.Value.Wrapped: Comparable
    {
        try Self.where(condition).max(of: operand, in: context)
    }

    /// The mean of decimal numbers; `nil` for no rows.
    public static func average<Operand: QueryOperand>(
        of operand: (Columns) -> Operand,
        @ConditionBuilder<Self> where condition: (Columns) -> Condition<Self> = { _ in .always },
        in context: some QueryContext
    ) throws -> Decimal? where Operand.Root == Self, Operand.Value == Decimal {
        try Self.where(condition).average(of: operand, in: context)
    }

    /// The mean of the decimal numbers that are not `nil`; `nil` if there are none.
    public static func average<Operand: QueryOperand>(
        of operand: (Columns) -> Operand,
        @ConditionBuilder<Self> where condition: (Columns) -> Condition<Self> = { _ in .always },
        in context: some QueryContext
    ) throws -> Decimal? where Operand.Root == Self, Operand.Value == Decimal? {
        try Self.where(condition).average(of: operand, in: context)
    }
}
