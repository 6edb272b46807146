import SkiathosStore

extension Entity {
    /// Counts rows.
    ///
    /// ```swift
    /// try User.count(where: { $0.age >= 18 }, in: context)
    /// // SELECT COUNT(*) FROM "user" WHERE "age" >= 18
    /// ```
    public static func count(
        where condition: (Columns) -> Condition<Self> = { _ in .always },
        in context: some QueryContext
    ) throws -> Int {
        let request = try FetchRequest(
            Self.self, position: context.position(of: Self.self), where: condition)
        return try context.query { try $0.count(request) }
    }

    /// Whether there is any row.
    ///
    /// ```swift
    /// try User.exists(where: { $0.email == "ada@example.org" }, in: context)
    /// // SELECT EXISTS (SELECT 1 FROM "user" WHERE "email" = 'ada@example.org')
    /// ```
    public static func exists(
        where condition: (Columns) -> Condition<Self> = { _ in .always },
        in context: some QueryContext
    ) throws -> Bool {
        let request = try FetchRequest(
            Self.self, position: context.position(of: Self.self), where: condition)
        return try context.query { try $0.exists(request) }
    }

    /// The IDs of rows, without the rows themselves.
    ///
    /// ```swift
    /// try User.ids(where: { $0.age >= 18 }, orderedBy: { [$0.age.descending] }, limit: 10, in: context)
    /// // SELECT "id" FROM "user" WHERE "age" >= 18 ORDER BY "age" DESC, "id" LIMIT 10
    /// ```
    public static func ids(
        where condition: (Columns) -> Condition<Self> = { _ in .always },
        orderedBy order: (Columns) -> [Ordering<Self>] = { _ in [] },
        limit: Int? = nil, offset: Int = 0, in context: some QueryContext
    ) throws -> [ID] {
        let request = try FetchRequest(
            Self.self, position: context.position(of: Self.self), where: condition,
            orderedBy: order, limit: limit, offset: offset)
        var ids: [ID] = []
        try context.query { session in
            try session.fetchIDs(request) { cursor in
                while cursor.next() { ids.append(try ID(row: cursor.row, column: 0)) }
            }
        }
        return ids
    }
}
