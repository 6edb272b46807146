import GRDBSQLite
import SkiathosStore

/// The entity and the number of rows of one bulk statement.
struct BulkWrite {
    let entity: Int
    let count: Int
}

extension SQLiteSession {
    /// The measured numbers of rows from which one statement for all needs fewer instructions
    /// than a statement for each.
    ///
    /// Updates and deletions begin by making a list of the rows. Triggers that keep the words of
    /// searches only make one statement better, by up to ten times.
    enum BulkThreshold {
        static let insertion = 4
        static let update = 12
        static let deletion = 16
        /// From here on it is worth checking whether a table has triggers.
        static let withoutCopies = 256
    }

    /// Passes rows to a single statement, if there are enough of them.
    ///
    /// - Returns: Whether it was done; if not, nothing has changed.
    func executeInBulk(
        _ rows: any RowSource, ifAtLeast threshold: Int,
        _ makeSQL: (BulkWrite) throws -> String, _ entity: Int,
        _ withBulkRows: ((LentRows) throws -> Void) throws -> Void
    ) throws -> Bool {
        let count = rows.lendableCount
        guard count >= threshold else { return false }
        let sql = try makeSQL(BulkWrite(entity: entity, count: count))
        guard !scanningStatements.contains(sql) else { return false }
        var isDone = false
        var failedRow: Int?
        let statement = try statement(sql)
        do {
            try withBulkRows { rows in
                isDone = try statement.use {
                    try execute($0, sql, with: rows, entity, &failedRow)
                }
            }
        } catch let error as StoreError {
            throw failedRow.map { error.locating(row: $0, of: rows) } ?? error
        }
        return isDone
    }

    /// Whether a bulk statement may have the conflict rule `OR FAIL`, which leaves partial
    /// changes, if the caller rolls a failure back.
    ///
    /// User triggers would apply the same conflict rule to their own statements.
    func mayUseOrFail(_ rows: BulkWrite) throws -> Bool {
        guard rows.count >= BulkThreshold.withoutCopies else { return false }
        let sql = """
            SELECT (SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?1)
            + (SELECT count(*) FROM sqlite_temp_schema WHERE type = 'trigger' AND tbl_name = ?1)
            """
        let table = shared.schema.entities[rows.entity].table
        return try integer(SQLText(sql, [.text(table)]), entity: rows.entity) == 0
    }

    private func execute(
        _ statement: PreparedStatement, _ sql: String, with rows: LentRows, _ entity: Int,
        _ failedRow: inout Int?
    ) throws -> Bool {
        let rows = BulkRows(rows, statement.pointer)
        defer { failedRow = rows.currentRow }
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
                throw located?.locating(entity: shared.schema.entities[entity].table) ?? error
            }
            try check(code, entity: entity)
            return true
        }
    }
}
