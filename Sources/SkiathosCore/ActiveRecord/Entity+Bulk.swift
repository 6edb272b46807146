import SkiathosStore

extension Entity {
    /// Changes all rows that a condition names, without fetching them.
    ///
    /// Objects that the write holds are brought up to date.
    ///
    /// ```swift
    /// try User.update(where: { $0.age >= 65 }, set: { [$0.isRetired.set(to: true)] }, in: context)
    /// // UPDATE "user" SET "isRetired" = 1 WHERE "age" >= 65
    /// ```
    ///
    /// - Returns: The number of rows that the condition named.
    /// - Throws: `StoreError` for a violated constraint; the rows are as before then.
    @discardableResult
    public static func update(
        where condition: (Columns) -> Condition<Self> = { _ in .always },
        set assignments: (Columns) -> [Assignment<Self>], in context: WriteContext
    ) throws -> Int {
        let position = try context.position(of: Self.self)
        let request = try FetchRequest(Self.self, position: position, where: condition)
        let changes = try assignments(columns).map { try $0.assignment.get() }
        try requireUsable(changes)
        return try context.change(refreshing: [position]) { try $0.update(request, changes) }
    }

    /// Deletes all rows that a condition names, without fetching them.
    ///
    /// Objects that the write holds are brought up to date, those of deleted rows count as
    /// deleted.
    ///
    /// ```swift
    /// try User.deleteAll(where: { $0.age > 99 }, in: context)   // DELETE FROM "user" WHERE "age" > 99
    /// ```
    ///
    /// - Returns: The number of rows that were deleted, without those that went with them by a
    ///   delete rule.
    @discardableResult
    public static func deleteAll(
        where condition: (Columns) -> Condition<Self> = { _ in .always }, in context: WriteContext
    ) throws -> Int {
        let position = try context.position(of: Self.self)
        let request = try FetchRequest(Self.self, position: position, where: condition)
        let affected = context.schema.affectedByDeletion(in: position)
        return try context.change(refreshing: affected) { try $0.delete(request) }
    }

    private static func requireUsable(_ changes: [StoreAssignment]) throws {
        guard !changes.isEmpty, !changes.contains(where: { $0.column == 0 }),
            Set(changes.map(\.column)).count == changes.count
        else {
            throw DataAccessError(
                .invalidRequest,
                "update of \(schema.typeName) needs at least one column, each once, and cannot change the ID."
            )
        }
    }
}
