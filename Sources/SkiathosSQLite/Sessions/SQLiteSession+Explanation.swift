import GRDBSQLite
import SkiathosStore

extension SQLiteSession {
    func explain(_ request: FetchRequest) throws -> QueryExplanation {
        try explain(try shared.requests.select(request).sql)
    }

    func explain(_ request: ProjectionRequest) throws -> QueryExplanation {
        try explain(try shared.requests.project(request).sql)
    }

    /// Asks SQLite for the query plan of a statement (sqlite.org/eqp.html).
    ///
    /// Without the values of its parameters, which the plan does not depend on here: the store
    /// keeps no statistics of values.
    func explain(_ sql: String) throws -> QueryExplanation {
        var explanation = QueryExplanation(sql: sql, plan: [], fullScans: [])
        var depths: [Int64: Int] = [:]
        let plan = try compiled("EXPLAIN QUERY PLAN \(sql)")
        try plan.use { plan in
            var code = sqlite3_step(plan.pointer)
            while code == SQLITE_ROW {
                let depth = depths[sqlite3_column_int64(plan.pointer, 1)].map { $0 + 1 } ?? 0
                depths[sqlite3_column_int64(plan.pointer, 0)] = depth
                let text = sqlite3_column_text(plan.pointer, 3).map { String(cString: $0) } ?? ""
                explanation.plan.append(String(repeating: "  ", count: depth) + text)
                if let table = scannedTable(text) { explanation.fullScans.append(table) }
                code = sqlite3_step(plan.pointer)
            }
            try check(code)
        }
        return explanation
    }

    func takeStatements() -> RecordedStatements {
        // A statement whose temporary table is gone has no plan any more.
        trace?.take { sql in (try? explain(sql))?.plan ?? [] } ?? RecordedStatements()
    }

    /// The table of ours that a line of a plan scans completely.
    private func scannedTable(_ line: String) -> String? {
        guard line.hasPrefix("SCAN ") else { return nil }
        let rows = RowRenderer.table(named: String(line.dropFirst("SCAN ".count)))
        let found = shared.schema.entities.map(\.table).filter {
            rows == $0 || rows.hasPrefix("\($0) ")
        }
        // A table's name may begin with another table's name.
        return found.max { $0.utf8.count < $1.utf8.count }
    }

    /// Compiles a statement that is used too seldom to be cached.
    private func compiled(_ sql: String) throws -> PreparedStatement {
        do { return try statements.compile(sql) } catch { throw shared.errors.error(error) }
    }
}
