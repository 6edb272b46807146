extension Entity {
    /// Counts rows.
    ///
    /// ```swift
    /// try User.count(where: { $0.age >= 18 }, in: context)
    /// // SELECT COUNT(*) FROM "user" WHERE "age" >= 18
    /// ```
    public static func count(
        @ConditionBuilder<Self> where condition: (Columns) -> Condition<Self> = { _ in .always },
        in context: some QueryContext
    ) throws -> Int {
        try Self.where(condition).count(in: context)
    }

    /// Whether there is any row.
    ///
    /// ```swift
    /// try User.exists(where: { $0.email == "ada@example.org" }, in: context)
    /// // SELECT EXISTS (SELECT 1 FROM "user" WHERE "email" = 'ada@example.org')
    /// ```
    public static func exists(
        @ConditionBuilder<Self> where condition: (Columns) -> Condition<Self> = { _ in .always },
        in context: some QueryContext
    ) throws -> Bool {
        try Self.where(condition).exists(in: context)
    }

    /// The IDs of rows, without the rows themselves.
    ///
    /// ```swift
    /// try User.ids(where: { $0.age >= 18 }, orderedBy: { [$0.age.descending] }, limit: 10, in: context)
    /// // SELECT "id" FROM "user" WHERE "age" >= 18 ORDER BY "age" DESC, "id" LIMIT 10
    /// ```
    public static func ids(
        @ConditionBuilder<Self> where condition: (Columns) -> Condition<Self> = { _ in .always },
        @OrderBuilder<Self> orderedBy order: (Columns) -> [Ordering<Self>] = { _ in [] },
        limit: Int? = nil, offset: Int = 0, in context: some QueryContext
    ) throws -> [ID] {
        try Query(condition(columns), order: order(columns), limit: limit, offset: offset)
            .ids(in: context)
    }
}
