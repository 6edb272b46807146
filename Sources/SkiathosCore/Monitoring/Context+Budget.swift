import SkiathosStore

extension ReadContext {
    /// Runs a closure whose queries may not use more than a budget.
    ///
    /// ```swift
    /// try dal.read { context in
    ///     let users = try User.all(in: context)
    ///     try context.withBudget(QueryBudget(statements: 1)) {
    ///         for user in users { _ = try Company.find(user.company, in: context) }
    ///     }
    /// }
    /// // DataAccessError budgetExceeded at the second SELECT … FROM "company" WHERE "id" = ?
    /// ```
    ///
    /// A budget of the read itself, or of an enclosing closure, counts too.
    ///
    /// - Parameters:
    ///   - budget: How much the queries inside the closure may use together.
    ///   - file: The file of the call, which the message names.
    ///   - line: The line of the call.
    ///   - body: Runs exactly once, before this returns.
    /// - Throws: what the closure throws. A query that exceeds the budget throws
    ///   ``DataAccessError`` with code `budgetExceeded`, which names the statement, its plan
    ///   and the index that would help.
    @discardableResult
    public func withBudget<R>(
        _ budget: QueryBudget, file: StaticString = #fileID, line: UInt = #line,
        _ body: () throws -> R
    ) throws -> R {
        try metering(
            BudgetMeter(budget, setAt: "\(file):\(line)", schema, within: meter), body)
    }
}

extension WriteContext {
    /// Runs a closure whose queries may not use more than a budget.
    ///
    /// Objects that the closure creates, changes or deletes do not count. A change by a
    /// condition that exceeds the budget is rolled back.
    ///
    /// ```swift
    /// try dal.write { context in
    ///     try context.withBudget(QueryBudget(fullScans: 0)) {
    ///         try User.deleteAll(where: { $0.age > 99 }, in: context)
    ///     }
    /// }
    /// // DELETE FROM "user" WHERE "age" > 99, which is refused if "age" has no index
    /// ```
    ///
    /// A budget of the write itself, or of an enclosing closure, counts too.
    ///
    /// - Parameters:
    ///   - budget: How much the queries inside the closure may use together.
    ///   - file: The file of the call, which the message names.
    ///   - line: The line of the call.
    ///   - body: Runs exactly once, before this returns.
    /// - Throws: what the closure throws. A query that exceeds the budget throws
    ///   ``DataAccessError`` with code `budgetExceeded`.
    @discardableResult
    public func withBudget<R>(
        _ budget: QueryBudget, file: StaticString = #fileID, line: UInt = #line,
        _ body: () throws -> R
    ) throws -> R {
        try metering(
            BudgetMeter(budget, setAt: "\(file):\(line)", schema, within: meter), body)
    }
}

/// A context whose queries a meter counts.
package protocol MeteredContext: AnyObject {
    /// Counts the queries; `nil` without a budget.
    var meter: BudgetMeter? { get set }
}

extension MeteredContext {
    /// Runs a closure with a meter that counts its queries, in place of the one that is set.
    package func metering<R>(_ inner: BudgetMeter, _ body: () throws -> R) throws -> R {
        let outer = meter
        meter = inner
        defer { meter = outer }
        return try body()
    }
}

extension ReadContext: MeteredContext {}
extension WriteContext: MeteredContext {}
