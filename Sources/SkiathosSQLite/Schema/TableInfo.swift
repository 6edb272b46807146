import GRDB

/// A table as a file holds it, with what belongs to it.
struct TableInfo: Sendable {
    /// One index, also one that the user has made.
    struct Index: Sendable {
        var name: String
        var isUnique: Bool
        /// The columns, or placeholders that are not names of columns.
        var columns: [TableLayout.IndexColumn]
        /// The statement that has made it; none for those that belong to a constraint.
        var sql: String?

        /// Whether it belongs to the keys of an entity with this table.
        func isOwn(of table: String) -> Bool {
            name.hasPrefix(TableLayout.indexPrefix(of: table, isUnique: isUnique))
        }
    }

    /// One trigger, but none of those for searching.
    struct Trigger: Sendable {
        var name: String
        var sql: String
    }

    /// The table in the form in which it can be compared.
    ///
    /// It contains a user's own index only if the index serves a key of the entity.
    var layout: TableLayout {
        var layout = columnsOnly
        layout.uniqueKeys = indexes.filter(\.isUnique).map(\.columns)
        layout.indexes = indexes.filter { !$0.isUnique }.map(\.columns)
        return layout
    }

    /// The table without its indexes.
    var columnsOnly: TableLayout
    var indexes: [Index]
    var triggers: [Trigger]
    /// Clauses that no table of the package has, as in SQL.
    var extras: [String] = []

    /// The name of the table.
    var name: String { columnsOnly.name }
    /// The names of the columns.
    var columnNames: Set<String> { Set(columnsOnly.columns.map(\.name)) }
}

extension TableInfo {
    /// The tables that a file holds.
    ///
    /// Views, virtual tables and their shadow tables are not included. Neither are the tables
    /// of row numbers for full-text search, which ``SearchIndex`` compares.
    static func introspect(_ database: Database) throws -> [TableInfo] {
        let tables = try Row.fetchAll(
            database,
            sql: """
                SELECT name, wr, strict FROM pragma_table_list
                WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                ORDER BY name
                """)
        return try tables.filter { !SearchIndex.isNumbers($0["name"]) }.map { table in
            let name: String = table["name"]
            var columnsOnly = TableLayout(
                name: name, isStrict: table["strict"], hasRowID: !(table["wr"] as Bool),
                columns: try columns(of: name, in: database),
                references: try references(of: name, in: database), uniqueKeys: [], indexes: [])
            columnsOnly.searchable = try SearchIndex.columns(
                of: name, keyType: columnsOnly.numberedKeyType, in: database)
            return TableInfo(
                columnsOnly: columnsOnly,
                indexes: try indexes(of: name, in: database),
                triggers: try triggers(of: name, in: database),
                extras: try extras(of: name, in: database))
        }
    }

    private static func columns(
        of table: String, in database: Database
    ) throws -> [TableLayout.Column] {
        let sql = #"SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?) ORDER BY cid"#
        return try Row.fetchAll(database, sql: sql, arguments: [table]).map { row in
            TableLayout.Column(
                name: row["name"], type: row["type"], isRequired: row["notnull"],
                isKey: (row["pk"] as Int) > 0)
        }
    }

    /// Words of the statement that would change how the table behaves, and that SQLite's own tables
    /// of a schema do not show.
    private static func extras(of table: String, in database: Database) throws -> [String] {
        let sql = "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?"
        let text = try String.fetchOne(database, sql: sql, arguments: [table]) ?? ""
        let words = SQLWords(text).unquoted
        let unusual = [
            "AS", "AUTOINCREMENT", "CHECK", "COLLATE", "CONFLICT", "DESC", "GENERATED", "UPDATE",
        ]
        var extras = unusual.filter { words.contains($0) }
        func count(_ word: String) -> Int { words.count { $0 == word } }
        if count("REFERENCES") != count("DEFERRED") { extras.append("IMMEDIATE") }
        return extras
    }

    private static func references(
        of table: String, in database: Database
    ) throws -> [TableLayout.Reference] {
        let sql = """
            SELECT "from", "table", "to", on_delete FROM pragma_foreign_key_list(?) ORDER BY id, seq
            """
        return try Row.fetchAll(database, sql: sql, arguments: [table]).map { row in
            // Without a column, the target's key is meant.
            TableLayout.Reference(
                column: row["from"], target: row["table"],
                targetColumn: row["to"] as String? ?? "id", onDelete: row["on_delete"])
        }
    }

    /// The indexes, apart from that of the key.
    private static func indexes(of table: String, in database: Database) throws -> [Index] {
        let sql = """
            SELECT list.name, list."unique", list.partial, stored.sql
            FROM pragma_index_list(?) AS list
            LEFT JOIN sqlite_schema AS stored ON stored.type = 'index' AND stored.name = list.name
            WHERE list.origin <> 'pk' ORDER BY list.name
            """
        return try Row.fetchAll(database, sql: sql, arguments: [table]).map { row in
            let columns = try Row.fetchAll(
                database,
                sql: "SELECT name, coll FROM pragma_index_xinfo(?) WHERE key ORDER BY seqno",
                arguments: [row["name"] as String])
            // Placeholders that are no names of columns prevent such an index from serving a
            // key.
            let names = columns.map { column in
                let collation: String = column["coll"]
                return TableLayout.IndexColumn(
                    name: column["name"] as String? ?? "(an expression)",
                    collation: collation == "BINARY" ? nil : collation)
            }
            let partial =
                row["partial"] as Bool ? [TableLayout.IndexColumn(name: "(only some rows)")] : []
            return Index(
                name: row["name"], isUnique: row["unique"], columns: names + partial,
                sql: row["sql"])
        }
    }

    private static func triggers(of table: String, in database: Database) throws -> [Trigger] {
        let sql = """
            SELECT name, sql FROM sqlite_schema
            WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE ORDER BY rowid
            """
        return try Row.fetchAll(database, sql: sql, arguments: [table])
            .map { Trigger(name: $0["name"] as String? ?? "", sql: $0["sql"] as String? ?? "") }
            .filter { !$0.name.hasPrefix(SearchIndex.prefix) }
    }
}
