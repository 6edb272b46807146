extension Entity {
    /// Changes all rows that meet a condition, without fetching them.
    ///
    /// Objects that the write tracks are refreshed. Hooks do not run; where the entity has a
    /// validation, the rows are fetched and validated afterwards.
    ///
    /// ```swift
    /// try User.update(where: { $0.age >= 65 }, set: { [$0.isRetired.set(to: true)] }, in: context)
    /// // UPDATE "user" SET "isRetired" = 1 WHERE "age" >= 65
    /// ```
    ///
    /// - Returns: The number of rows that met the condition.
    /// - Throws: `StoreError` for a violated constraint, ``DataAccessError`` with code
    ///   `validationFailed`; the rows are as before then.
    @discardableResult
    public static func update(
        @ConditionBuilder<Self> where condition: (Columns) -> Condition<Self> = { _ in .always },
        @AssignmentBuilder<Self> set assignments: (Columns) -> [Assignment<Self>],
        in context: WriteContext
    ) throws -> Int {
        try Self.where(condition).update(set: assignments, in: context)
    }

    /// Deletes all rows that meet a condition, without fetching them.
    ///
    /// Objects that the write tracks are refreshed; those of deleted rows count as deleted.
    ///
    /// ```swift
    /// try User.deleteAll(where: { $0.age > 99 }, in: context)   // DELETE FROM "user" WHERE "age" > 99
    /// ```
    ///
    /// - Returns: The number of rows that were deleted, without those that a delete rule
    ///   deleted with them.
    @discardableResult
    public static func deleteAll(
        @ConditionBuilder<Self> where condition: (Columns) -> Condition<Self> = { _ in .always },
        in context: WriteContext
    ) throws -> Int {
        try Self.where(condition).deleteAll(in: context)
    }
}
