extension Entity {
    /// The values of rows, as a read returns them.
    ///
    /// ```swift
    /// try User.all(where: { $0.age >= 18 }, orderedBy: { [$0.lastname.ascending] }, limit: 50, in: context)
    /// // SELECT … FROM "user" WHERE "age" >= 18 ORDER BY "lastname", "id" LIMIT 50
    /// ```
    ///
    /// - Parameters:
    ///   - condition: Which rows; all without one.
    ///   - order: The sort keys, the most important first. Without any, and without a limit or
    ///     offset, the order is the store's choice.
    ///   - limit: The most rows to return, at least 0.
    ///   - offset: How many rows to skip, at least 0.
    ///   - context: The context of the read.
    /// - Throws: `DataAccessError` for an entity that the store does not hold, `StoreError` for a
    ///   value that cannot be compared or a row that cannot be decoded.
    @inlinable
    public static func all(
        @ConditionBuilder<Self> where condition: (Columns) -> Condition<Self> = { _ in .always },
        @OrderBuilder<Self> orderedBy order: (Columns) -> [Ordering<Self>] = { _ in [] },
        limit: Int? = nil, offset: Int = 0, in context: ReadContext
    ) throws -> [Self] {
        try Query(condition(columns), order: order(columns), limit: limit, offset: offset)
            .all(in: context)
    }

    /// The tracked objects of rows, as a write works on them.
    ///
    /// The query sees the write's own pending changes.
    @inlinable
    public static func all(
        @ConditionBuilder<Self> where condition: (Columns) -> Condition<Self> = { _ in .always },
        @OrderBuilder<Self> orderedBy order: (Columns) -> [Ordering<Self>] = { _ in [] },
        limit: Int? = nil, offset: Int = 0, in context: WriteContext
    ) throws -> [Managed<Self>] {
        try Query(condition(columns), order: order(columns), limit: limit, offset: offset)
            .all(in: context)
    }

    /// The value of the first row, or `nil` if there is none.
    ///
    /// Without a sort key, the one with the smallest ID.
    @inlinable
    public static func first(
        @ConditionBuilder<Self> where condition: (Columns) -> Condition<Self> = { _ in .always },
        @OrderBuilder<Self> orderedBy order: (Columns) -> [Ordering<Self>] = { _ in [] },
        in context: ReadContext
    ) throws -> Self? {
        try Self.where(condition).order(order).first(in: context)
    }

    /// The tracked object of the first row, or `nil` if there is none.
    ///
    /// Without a sort key, the one with the smallest ID.
    @inlinable
    public static func first(
        @ConditionBuilder<Self> where condition: (Columns) -> Condition<Self> = { _ in .always },
        @OrderBuilder<Self> orderedBy order: (Columns) -> [Ordering<Self>] = { _ in [] },
        in context: WriteContext
    ) throws -> Managed<Self>? {
        try Self.where(condition).order(order).first(in: context)
    }
}
