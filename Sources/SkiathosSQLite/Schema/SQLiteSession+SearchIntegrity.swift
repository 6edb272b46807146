import GRDBSQLite
import SkiathosStore

extension SQLiteSession {
    /// The problems of the full-text search indexes.
    ///
    /// FTS5's own check is a command that writes, which a read-only connection refuses. So the
    /// words of the rows are indexed again, into a temporary table of this connection, and
    /// both indexes are compared in order.
    func searchProblems() throws -> [String] {
        try shared.schema.entities.filter { !$0.searchable.isEmpty }.flatMap { entity in
            let isSound: Bool
            do {
                isSound = try SearchComparison(entity, in: self).isSound()
            } catch let error as StoreError where error.code == .damaged {
                isSound = false
            }
            return isSound
                ? []
                : [
                    "The search index of \"\(entity.table)\" does not match its rows."
                ]
        }
    }
}

/// Compares the words that are kept for an entity with those of its rows.
private struct SearchComparison {
    private let entity: EntitySchema
    private let index: SearchIndex
    private let session: SQLiteSession

    private let fresh = "temp.\"skiathos_check_words\""
    private let freshList = "temp.\"skiathos_check_fresh\""
    private let keptList = "temp.\"skiathos_check_kept\""

    init(_ entity: EntitySchema, in session: SQLiteSession) {
        self.entity = entity
        index = SearchIndex(of: entity)
        self.session = session
    }

    func isSound() throws -> Bool {
        // A connection for reading refuses temporary tables too; this has none stay behind.
        if session.isReadOnly { try execute("PRAGMA query_only = 0") }
        defer {
            removeTables()
            if session.isReadOnly {
                sqlite3_exec(session.handle, "PRAGMA query_only = 1", nil, nil, nil)
            }
        }
        try makeTables()
        let columns = #""term", "doc", "col", "offset""#
        let kept = SearchIndex.name(of: entity.table)
        let rows = index.numberedRows
        return try areSame(
            "SELECT \(columns) FROM \(keptList)", "SELECT \(columns) FROM \(freshList)",
            columnCount: 4)
            // A row without words has a size all the same.
            && areSame(
                "SELECT \"id\" FROM main.\(SQLText.quote(kept + "_docsize")) ORDER BY 1",
                "SELECT \(rows.number) FROM \(rows.source) ORDER BY 1", columnCount: 1)
            && areNumbered()
    }

    /// Whether each row has a number, if it needs one, and each number a row.
    private func areNumbered() throws -> Bool {
        guard index.keyType != nil else { return true }
        let numbers = SQLText.quote(SearchIndex.numbers(of: entity.table))
        return try areSame(
            "SELECT quote(\"id\") FROM main.\(numbers) ORDER BY \"id\"",
            "SELECT quote(\"id\") FROM main.\(SQLText.quote(entity.table)) ORDER BY \"id\"",
            columnCount: 1)
    }

    private func makeTables() throws {
        let names = entity.searchable.map { SQLText.quote(entity.columns[$0].name) }
        let columns = names.joined(separator: ", ")
        let rows = index.numberedRows
        let kept = SQLText.quote(SearchIndex.name(of: entity.table))
        removeTables()
        try execute(
            """
            CREATE VIRTUAL TABLE \(fresh) USING fts5(\(columns), content='', \
            tokenize="unicode61 remove_diacritics 2")
            """)
        try execute(
            "INSERT INTO \(fresh)(\"rowid\", \(columns)) SELECT \(rows.number), \(columns) FROM \(rows.source)"
        )
        try execute(
            "CREATE VIRTUAL TABLE \(freshList) USING fts5vocab('temp', 'skiathos_check_words', 'instance')"
        )
        try execute(
            "CREATE VIRTUAL TABLE \(keptList) USING fts5vocab('main', \(kept), 'instance')")
    }

    /// A table that cannot be removed now is removed before the next comparison.
    private func removeTables() {
        for table in [freshList, keptList, fresh] {
            sqlite3_exec(session.handle, "DROP TABLE IF EXISTS \(table)", nil, nil, nil)
        }
    }

    private func execute(_ sql: String) throws {
        let code = sqlite3_exec(session.handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw session.failure(code, entity: nil) }
    }

    /// Whether two queries give the same rows in the same order.
    private func areSame(_ left: String, _ right: String, columnCount: Int32) throws -> Bool {
        try session.statements.compile(left).use { left in
            try session.statements.compile(right).use { right in
                while true {
                    let codes = (sqlite3_step(left.pointer), sqlite3_step(right.pointer))
                    try session.check(codes.0)
                    try session.check(codes.1)
                    guard codes.0 == codes.1 else { return false }
                    if codes.0 == SQLITE_DONE { return true }
                    for column in 0..<columnCount
                    where !areSame(left.pointer, right.pointer, column) { return false }
                }
            }
        }
    }

    private func areSame(_ left: OpaquePointer, _ right: OpaquePointer, _ column: Int32) -> Bool {
        let texts = [left, right].map { statement in
            sqlite3_column_text(statement, column).map { String(cString: $0) }
        }
        return texts[0] == texts[1]
    }
}
