import GRDB

extension TableLayout {
    /// The tables that a file holds.
    ///
    /// Views, virtual tables and what belongs to them are nobody's business here.
    static func found(in database: Database) throws -> [TableLayout] {
        let tables = try Row.fetchAll(
            database,
            sql: """
                SELECT name, wr, strict FROM pragma_table_list
                WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                ORDER BY name
                """)
        return try tables.map { table in
            let name: String = table["name"]
            let indexes = try Index.found(of: name, in: database)
            return TableLayout(
                name: name, isStrict: table["strict"], hasRowID: !(table["wr"] as Bool),
                columns: try columns(of: name, in: database),
                references: try references(of: name, in: database),
                uniqueKeys: indexes.filter(\.isUnique).map(\.columns),
                indexes: indexes.filter { !$0.isUnique }.map(\.columns),
                searchable: try SearchIndex.columns(of: name, in: database))
        }
    }

    private static func columns(of table: String, in database: Database) throws -> [Column] {
        let sql = #"SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?) ORDER BY cid"#
        return try Row.fetchAll(database, sql: sql, arguments: [table]).map { row in
            Column(
                name: row["name"], type: row["type"], isRequired: row["notnull"],
                isKey: (row["pk"] as Int) > 0)
        }
    }

    private static func references(of table: String, in database: Database) throws -> [Reference] {
        let sql = """
            SELECT "from", "table", "to", on_delete FROM pragma_foreign_key_list(?) ORDER BY id, seq
            """
        return try Row.fetchAll(database, sql: sql, arguments: [table]).map { row in
            // Without a column, the target's key is meant.
            Reference(
                column: row["from"], target: row["table"],
                targetColumn: row["to"] as String? ?? "id", onDelete: row["on_delete"])
        }
    }

    /// One index of the file, apart from that of the key.
    private struct Index {
        var isUnique: Bool
        var columns: [String]

        static func found(of table: String, in database: Database) throws -> [Index] {
            let sql = """
                SELECT name, "unique", partial FROM pragma_index_list(?) WHERE origin <> 'pk'
                ORDER BY name
                """
            return try Row.fetchAll(database, sql: sql, arguments: [table]).map { row in
                let columns = try Row.fetchAll(
                    database, sql: "SELECT name FROM pragma_index_info(?) ORDER BY seqno",
                    arguments: [row["name"] as String])
                // Words that no column of ours is called make such an index a difference.
                let names = columns.map { $0["name"] as String? ?? "(an expression)" }
                let partial = row["partial"] as Bool ? ["(only some rows)"] : []
                return Index(isUnique: row["unique"], columns: names + partial)
            }
        }
    }
}
