import GRDBSQLite
import SkiathosStore

extension SQLiteSession {
    /// The least number of rows that one statement takes faster than a statement for each.
    static let leastBulk = 8

    /// Lends rows to a statement that takes all of them, if they are so many that this is faster.
    ///
    /// - Returns: Whether it was done. Otherwise nothing has happened.
    func lend(
        _ rows: any RowSource, to sql: @autoclosure () -> String, _ entity: Int,
        _ lend: ((LentRows) throws -> Void) throws -> Void
    ) throws -> Bool {
        guard rows.lendableCount >= Self.leastBulk else { return false }
        let sql = sql()
        guard !scanningStatements.contains(sql) else { return false }
        var isDone = false
        let statement = try statement(sql)
        try lend { rows in
            isDone = try statement.use { try execute($0, sql, with: rows, entity) }
        }
        return isDone
    }

    private func execute(
        _ statement: PreparedStatement, _ sql: String, with rows: LentRows, _ entity: Int
    ) throws -> Bool {
        let rows = BulkRows(rows, statement.pointer)
        return try withExtendedLifetime(rows) {
            let binding = rows.bind()
            guard binding == SQLITE_OK else { throw failure(binding, entity: entity) }
            _ = sqlite3_stmt_status(statement.pointer, SQLITE_STMTSTATUS_FULLSCAN_STEP, 1)
            let code = sqlite3_step(statement.pointer)
            // From the next time on, each row is looked up by a statement of its own.
            if rows.isRefused || rows.hasScannedTable { scanningStatements.insert(sql) }
            if rows.isRefused { return false }
            if let error = rows.error {
                let located = error as? StoreError
                throw located?.locating(entity: texts.schema.entities[entity].table) ?? error
            }
            try check(code, entity: entity)
            return true
        }
    }
}
