package import SkiathosStore

/// Counts the work of queries, and refuses queries that exceed a budget.
package final class BudgetMeter: QueryMeter {
    // Guarded by the access whose queries it counts: its closure runs on one thread at a time, and
    // the type is not Sendable.
    /// The work so far.
    package private(set) var use = QueryUse()

    private let budget: QueryBudget
    private let schema: StoreSchema
    /// The source location at which the budget was set, as `file:line`.
    private let place: String
    /// The meter of the enclosing access or scope, whose budget counts too.
    private let outer: (any QueryMeter)?

    package init(
        _ budget: QueryBudget, setAt place: String, _ schema: StoreSchema,
        within outer: (any QueryMeter)?
    ) {
        self.budget = budget
        self.place = place
        self.schema = schema
        self.outer = outer
    }

    package func begin(_ statement: MeteredStatement) throws -> Int {
        if let limit = limit(budget.statements), use.statements >= limit {
            throw exceeded("statements", limit, statement)
        }
        let allowance = try outer?.begin(statement) ?? .max
        use.statements += 1
        return min(allowance, limit(budget.rows).map { max(0, $0 - use.rows) } ?? .max)
    }

    package func end(_ statement: MeteredStatement, _ cost: StatementCost) throws {
        use.rows += cost.rows
        if cost.isFullScan { use.fullScans += 1 }
        try outer?.end(statement, cost)
        if let limit = limit(budget.rows), use.rows > limit {
            throw exceeded("rows", limit, statement)
        }
        if cost.isFullScan, let limit = limit(budget.fullScans), use.fullScans > limit {
            throw exceeded("fullScans", limit, statement)
        }
    }

    private func limit(_ limit: Int?) -> Int? { limit.map { max(0, $0) } }

    private func exceeded(
        _ what: String, _ limit: Int, _ statement: MeteredStatement
    ) -> DataAccessError {
        let explanation = Result { try statement.explain() }
        let hint = IndexHint(statement.request, explanation, schema).sentence
        let description =
            switch explanation {
            case .success(let explanation):
                "\(explanation.sql)\nIts plan:\n- \(explanation.plan.joined(separator: "\n- "))"
            case .failure(let error): "one that could not be explained: \(error)"
            }
        var error = DataAccessError(
            .budgetExceeded,
            """
            The budget that was set at \(place) allows \(what): \(limit), and a query goes beyond it. \(hint) \
            The statement: \(description)
            """)
        error.place = place
        return error
    }
}
