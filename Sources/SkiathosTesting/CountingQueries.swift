public import SkiathosCore

extension ReadContext {
    /// Runs a closure and counts what its queries use, for tests.
    ///
    /// ```swift
    /// let (users, use) = try context.countingQueries { try User.all(limit: 50, in: context) }
    /// #expect(use == QueryUse(statements: 1, rows: 50))
    /// ```
    ///
    /// - Returns: The closure's value, and what its queries have used.
    /// - Throws: What the closure throws.
    public func countingQueries<R>(_ body: () throws -> R) throws -> (result: R, use: QueryUse) {
        let meter = BudgetMeter(QueryBudget(), setAt: "", schema, within: meter)
        let result = try metering(meter, body)
        return (result, meter.use)
    }
}

extension WriteContext {
    /// Runs a closure and counts what its queries use, for tests.
    ///
    /// Objects that it creates, changes or deletes do not count.
    ///
    /// - Returns: The closure's value, and what its queries have used.
    /// - Throws: What the closure throws.
    public func countingQueries<R>(_ body: () throws -> R) throws -> (result: R, use: QueryUse) {
        let meter = BudgetMeter(QueryBudget(), setAt: "", schema, within: meter)
        let result = try metering(meter, body)
        return (result, meter.use)
    }
}

extension DataAccessLayer {
    /// Runs a closure as a read and returns what its queries have used, for tests.
    ///
    /// ```swift
    /// let use = try await dal.countingQueries { _ = try page(3, in: $0) }
    /// #expect(use.statements <= 3)
    /// #expect(use.fullScans == 0)
    /// ```
    ///
    /// - Throws: What the closure or the read throws.
    public func countingQueries(
        _ body: @escaping @Sendable (ReadContext) throws -> Void
    ) async throws -> QueryUse {
        try await read { context in try context.countingQueries { try body(context) }.use }
    }
}
