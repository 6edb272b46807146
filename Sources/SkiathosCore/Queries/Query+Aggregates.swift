extension Query {
    /// The sum of the values of an expression that are not `nil`; zero if there are none.
    ///
    /// Integers of fewer than 64 bits are summed as `Int`, `Float` as `Double`.
    ///
    /// ```swift
    /// try Invoice.where { $0.country == "Greece" }.sum(of: { $0.total }, in: context)
    /// // SELECT skiathos_number(total("total")) FROM "invoice" WHERE ("country" = 'Greece')
    /// ```
    ///
    /// - Throws: `StoreError` with code `invalidValue` for a sum that the type cannot hold.
    public func sum<Operand: QueryOperand>(
        of operand: (E.Columns) -> Operand, in context: some QueryContext
    ) throws -> Operand.Value.Sum where Operand.Root == E, Operand.Value: SummedColumnValue {
        try aggregate({ operand($0).sum }, in: context)
    }

    /// The mean of an expression over the rows; `nil` for no rows.
    public func average<Operand: QueryOperand>(
        of operand: (E.Columns) -> Operand, in context: some QueryContext
    ) throws -> Double? where Operand.Root == E, Operand.Value: AveragedColumnValue {
        try aggregate({ operand($0).average }, in: context)
    }

    /// The minimum of an expression over the rows; `nil` for no rows.
    public func min<Operand: QueryOperand>(
        of operand: (E.Columns) -> Operand, in context: some QueryContext
    ) throws -> Operand.Value? where Operand.Root == E, Operand.Value: Comparable {
        try aggregate({ operand($0).min }, in: context)
    }

    /// The maximum of an expression over the rows; `nil` for no rows.
    public func max<Operand: QueryOperand>(
        of operand: (E.Columns) -> Operand, in context: some QueryContext
    ) throws -> Operand.Value? where Operand.Root == E, Operand.Value: Comparable {
        try aggregate({ operand($0).max }, in: context)
    }
}

extension Entity {
    /// The sum of the values of an expression that are not `nil`; zero if there are none.
    public static func sum<Operand: QueryOperand>(
        of operand: (Columns) -> Operand,
        @ConditionBuilder<Self> where condition: (Columns) -> Condition<Self> = { _ in .always },
        in context: some QueryContext
    ) throws -> Operand.Value.Sum where Operand.Root == Self, Operand.Value: SummedColumnValue {
        try Self.where(condition).sum(of: operand, in: context)
    }

    /// The mean of an expression over the rows; `nil` for no rows.
    public static func average<Operand: QueryOperand>(
        of operand: (Columns) -> Operand,
        @ConditionBuilder<Self> where condition: (Columns) -> Condition<Self> = { _ in .always },
        in context: some QueryContext
    ) throws -> Double? where Operand.Root == Self, Operand.Value: AveragedColumnValue {
        try Self.where(condition).average(of: operand, in: context)
    }

    /// The minimum of an expression over the rows; `nil` for no rows.
    public static func min<Operand: QueryOperand>(
        of operand: (Columns) -> Operand,
        @ConditionBuilder<Self> where condition: (Columns) -> Condition<Self> = { _ in .always },
        in context: some QueryContext
    ) throws -> Operand.Value? where Operand.Root == Self, Operand.Value: Comparable {
        try Self.where(condition).min(of: operand, in: context)
    }

    /// The maximum of an expression over the rows; `nil` for no rows.
    public static func max<Operand: QueryOperand>(
        of operand: (Columns) -> Operand,
        @ConditionBuilder<Self> where condition: (Columns) -> Condition<Self> = { _ in .always },
        in context: some QueryContext
    ) throws -> Operand.Value? where Operand.Root == Self, Operand.Value: Comparable {
        try Self.where(condition).max(of: operand, in: context)
    }
}
