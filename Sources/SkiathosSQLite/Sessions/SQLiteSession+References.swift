import GRDBSQLite
import SkiathosStore

extension SQLiteSession {
    func checkReferences() throws {
        if try brokenReferences != 0 { throw try brokenReference() }
    }

    /// Not 0 if the transaction has broken references.
    var brokenReferences: Int32 {
        get throws {
            var broken: Int32 = 0
            var highest: Int32 = 0
            let code = sqlite3_db_status(
                handle, SQLITE_DBSTATUS_DEFERRED_FKS, &broken, &highest, 0)
            guard code == SQLITE_OK else { throw failure(code, entity: nil) }
            return broken
        }
    }

    /// Finds the broken reference; SQLite only counts them.
    ///
    /// This reads whole tables, but only on the way to an error.
    private func brokenReference() throws -> StoreError {
        for (position, entity) in shared.schema.entities.enumerated() {
            guard let (column, _) = try danglingReferences(of: position).first else { continue }
            return try describe(entity.columns[column], of: entity)
        }
        return StoreError(
            .foreignKeyViolation,
            "A reference leads to a row that is not there, but no entity of this store holds it.",
            backendCode: Int(ConstraintCode.foreignKey))
    }

    private func describe(_ column: ColumnSchema, of entity: EntitySchema) throws -> StoreError {
        let target = column.reference.flatMap { shared.schema.target(of: $0) }
            .map { shared.schema.entities[$0] }
        let row = try target.flatMap { try danglingRow(column, of: entity, to: $0) }
        let name = target?.table ?? "unknown"
        func make(_ message: String) -> StoreError {
            var error = StoreError(
                .foreignKeyViolation, message, entity: entity.table, columns: [column.name],
                backendCode: Int(ConstraintCode.foreignKey))
            error.rowID = row?.id
            return error
        }
        if row?.target.isUnassigned ?? false {
            return make(
                "\"\(entity.table)\".\"\(column.name)\" must refer to a row of \"\(name)\", but was never set. Set it to the ID of a row, or make the property optional."
            )
        }
        // Deleting a target nullifies or deletes the referring rows, unless the rule is to
        // deny.
        let cause =
            column.reference?.onDelete == .deny
            ? "It was never there, or it was deleted although it is still referred to, which the reference's rule denies. Delete or change the referring rows too."
            : "Insert the row that is referred to, or refer to another one."
        return make(
            "\"\(entity.table)\".\"\(column.name)\" refers to a row of \"\(name)\" that is not there. \(cause)"
        )
    }

    /// A row whose reference leads to no row of its target.
    private func danglingRow(
        _ column: ColumnSchema, of entity: EntitySchema, to target: EntitySchema
    ) throws -> (id: StoreValue, target: StoreValue)? {
        let (table, reference) = (SQLText.quote(entity.table), SQLText.quote(column.name))
        let sql = """
            SELECT own."id", own.\(reference) FROM \(table) AS own
            WHERE own.\(reference) IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM \(SQLText.quote(target.table)) AS target WHERE target."id" = own.\(reference))
            LIMIT 1
            """
        return try statement(sql).use { statement in
            let code = sqlite3_step(statement.pointer)
            guard code == SQLITE_ROW else {
                try check(code)
                return nil
            }
            return (
                StoreValue(statement.pointer, column: 0), StoreValue(statement.pointer, column: 1)
            )
        }
    }
}

extension StoreValue {
    /// Whether it is an ID that was not chosen yet.
    fileprivate var isUnassigned: Bool {
        switch self {
        case .integer(let number): number == 0
        case .text(let text): text.isEmpty
        case .blob(let bytes): bytes.allSatisfy { $0 == 0 }
        case .null, .real: false
        }
    }
}
