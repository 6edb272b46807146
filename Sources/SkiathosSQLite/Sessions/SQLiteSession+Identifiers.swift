import GRDBSQLite
import SkiathosStore

extension SQLiteSession {
    func highestID(of entity: Int) throws -> Int64 {
        guard hasIntegerID(entity) else { return 0 }
        let entitySQL = shared.requests.entities[entity]
        let sequence = SQLText.quote(TableLayout.sequence.name)
        return try integer(
            SQLText(
                """
                SELECT max(
                    coalesce((SELECT max(\(entitySQL.columns[0])) FROM \(entitySQL.table)), 0),
                    coalesce((SELECT "highest" FROM \(sequence) WHERE "entity" = ?), 0))
                """, [.text(entitySQL.entity.table)]), entity: entity)
    }

    /// Stores the largest ID that may have been allocated.
    ///
    /// It may be lowered again.
    func setHighestID(of entity: Int, to highest: Int64) throws {
        let sequence = SQLText.quote(TableLayout.sequence.name)
        let sql = """
            INSERT INTO \(sequence) ("entity", "highest") VALUES (?, ?)
            ON CONFLICT ("entity") DO UPDATE SET "highest" = excluded."highest"
            """
        try statement(sql).use { statement in
            let table = shared.schema.entities[entity].table
            try bind([.text(table), .integer(highest)], to: statement, entity: entity)
            try check(sqlite3_step(statement.pointer), entity: entity)
        }
    }

    /// Whether the IDs of an entity are allocated in ascending order.
    func hasIntegerID(_ entity: Int) -> Bool { shared.schema.entities[entity].hasIntegerID }
}
