import GRDBSQLite
import SkiathosStore

extension SQLiteSession {
    func metering<R>(_ meter: (any QueryMeter)?, _ body: () throws -> R) throws -> R {
        let outer = self.meter
        self.meter = meter
        defer { self.meter = outer }
        return try body()
    }

    /// Runs a bound statement that returns a number of rows, and reports it to the meter, if
    /// any.
    @inline(__always)
    func metered<R>(
        _ statement: PreparedStatement, _ request: FetchRequest?, rows: Int = 1,
        _ body: () throws -> R
    ) throws -> R {
        guard let meter else { return try body() }
        return try meter.run(statement, request, rows: rows, in: self, body)
    }

    /// Runs a change, which is rolled back if the meter refuses it afterwards.
    func rollingBackIfRefused<R>(_ body: () throws -> R) throws -> R {
        guard meter != nil, isInTransaction else { return try body() }
        try perform(#"SAVEPOINT "metered""#)
        do {
            let result = try body()
            try perform(#"RELEASE "metered""#)
            return result
        } catch {
            if isInTransaction {
                try perform(#"ROLLBACK TO "metered""#)
                try perform(#"RELEASE "metered""#)
            }
            throw error
        }
    }

    /// How many rows a statement has stepped through in full scans, since the last call.
    fileprivate func takeScanSteps(_ statement: PreparedStatement) -> Int {
        Int(sqlite3_stmt_status(statement.pointer, SQLITE_STMTSTATUS_FULLSCAN_STEP, 1))
    }

    fileprivate func description(
        of statement: PreparedStatement, _ request: FetchRequest?
    ) -> MeteredStatement {
        MeteredStatement(request: request) {
            try self.explain(sqlite3_sql(statement.pointer).map { String(cString: $0) } ?? "")
        }
    }
}

extension QueryMeter {
    /// Runs a statement that returns a fixed number of rows.
    fileprivate func run<R>(
        _ statement: PreparedStatement, _ request: FetchRequest?, rows: Int,
        in session: SQLiteSession, _ body: () throws -> R
    ) throws -> R {
        let description = session.description(of: statement, request)
        _ = try begin(description)
        _ = session.takeScanSteps(statement)
        let result = try body()
        let isFullScan = session.takeScanSteps(statement) > 0
        try end(description, StatementCost(rows: rows, isFullScan: isFullScan))
        return result
    }

    /// Steps through the rows of a bound statement, and counts them.
    func walk(
        _ statement: PreparedStatement, _ request: FetchRequest?, in session: SQLiteSession,
        _ body: (inout RowCursor) throws -> Void
    ) throws {
        let description = session.description(of: statement, request)
        var counted = CountedStatement(
            pointer: statement.pointer, allowance: try begin(description),
            checksCancellation: session.checksCancellation)
        _ = session.takeScanSteps(statement)
        let result = withUnsafeMutablePointer(to: &counted) { counted in
            var cursor = RowCursor(
                statement: OpaquePointer(counted), functions: CountedStatement.table.pointer)
            return Result { try body(&cursor) }
        }
        // A statement that was stopped has made the closure fail, which the meter explains.
        if !counted.isStopped { try result.get() }
        let steps = session.takeScanSteps(statement)
        // With a limit, reading a page in the order of an index is expected.
        let passedFor = request?.limit == nil ? 0 : counted.rows + (request?.offset ?? 0)
        try end(
            description, StatementCost(rows: counted.rows, isFullScan: steps > passedFor))
        try result.get()
    }
}
