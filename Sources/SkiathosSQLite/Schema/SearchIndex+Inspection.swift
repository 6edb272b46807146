import GRDB

extension SearchIndex {
    /// Placeholder column name: the index exists, but its triggers or options are not the
    /// expected ones.
    static let otherForm = "(in another form)"

    /// The tables with a search index in a file.
    static func tables(in database: Database) throws -> [String] {
        let sql = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'virtual'"
        return try String.fetchAll(database, sql: sql).filter { $0.hasPrefix(prefix) }
            .map { String($0.dropFirst(prefix.count)) }.sorted()
    }

    /// The searchable columns of a table of the file; none if there is no search.
    ///
    /// - Parameter keyType: The type of the IDs of the table, if they are not integers.
    static func columns(
        of table: String, keyType: String?, in database: Database
    ) throws -> [String] {
        // Parts of the index of one table may be called like the index of another one, whose name ends
        // with "_data", "_numbers", "_rows" or "_insert"; their types differ.
        let triggers = ["insert", "update", "delete"].map { triggerName($0, of: table) }
        let sql = """
            SELECT sql FROM sqlite_schema
            WHERE type = 'table' AND name = ? AND sql LIKE 'CREATE VIRTUAL TABLE %'
                OR type = 'table' AND name = ? AND sql NOT LIKE 'CREATE VIRTUAL TABLE %'
                OR type = 'view' AND name = ? OR type = 'trigger' AND name IN (?, ?, ?)
            """
        let names = [name(of: table), numbers(of: table), rows(of: table)] + triggers
        let found = Set(
            try String.fetchAll(database, sql: sql, arguments: StatementArguments(names)))
        if found.isEmpty { return [] }
        let columns = try String.fetchAll(
            database, sql: "SELECT name FROM pragma_table_info(?) ORDER BY cid",
            arguments: [name(of: table)])
        let index = SearchIndex(table: table, columns: columns, keyType: keyType)
        let intact = Set(index.creations)
        return found == intact ? columns : columns + [otherForm]
    }
}
