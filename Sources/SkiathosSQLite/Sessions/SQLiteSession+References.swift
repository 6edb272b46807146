import GRDBSQLite
import SkiathosStore

extension SQLiteSession {
    func checkReferences() throws {
        var broken: Int32 = 0
        var highest: Int32 = 0
        let code = sqlite3_db_status(
            handle, SQLITE_DBSTATUS_DEFERRED_FKS, &broken, &highest, 0)
        guard code == SQLITE_OK else { throw failure(code, entity: nil) }
        if broken != 0 { throw try brokenReference() }
    }

    /// Finds out which reference it is; SQLite only counts.
    ///
    /// This reads whole tables, but only on the way to an error.
    private func brokenReference() throws -> StoreError {
        for (position, entity) in texts.schema.entities.enumerated() {
            guard let (column, _) = try danglingReferences(of: position).first else { continue }
            return describe(entity.columns[column], of: entity)
        }
        return StoreError(
            .foreignKeyViolation,
            "A reference leads to a row that is not there, but no entity of this store holds it.",
            backendCode: Int(ConstraintCode.foreignKey))
    }

    private func describe(_ column: ColumnSchema, of entity: EntitySchema) -> StoreError {
        let target = column.reference.flatMap { texts.schema.target(of: $0) }
        let name = target.map { texts.schema.entities[$0].table } ?? "unknown"
        // Deleting a target nullifies or deletes what refers to it, unless the rule is to deny.
        let cause =
            column.reference?.onDelete == .deny
            ? "It was never there, or it was deleted although it is still referred to, which the reference's rule denies. Delete or change the referring rows too."
            : "Insert the row that is referred to, or refer to another one."
        return StoreError(
            .foreignKeyViolation,
            "\"\(entity.table)\".\"\(column.name)\" refers to a row of \"\(name)\" that is not there. \(cause)",
            entity: entity.table, columns: [column.name],
            backendCode: Int(ConstraintCode.foreignKey))
    }
}
