import SkiathosStore

/// The full-text index of an entity's searchable columns: an FTS5 table that has only the
/// words, and the triggers that keep it in sync with the rows (sqlite.org/fts5.html, section
/// 4.4.3).
///
/// Triggers see every change: by units of work, set updates, delete rules of references, and
/// raw SQL.
///
/// FTS5 identifies rows by integers. For IDs that are not integers, a table gives each row a
/// number, which `VACUUM` does not change since it is the key of that table. A view shows FTS5
/// the rows by their numbers.
struct SearchIndex: Equatable, Sendable {
    /// The table whose rows are searched.
    var table: String
    /// The columns whose words are kept, in the order of the FTS5 table.
    var columns: [String]
    /// The type of the IDs, if they are not integers.
    var keyType: String?

    /// The prefix of the names of all tables and triggers of search indexes.
    static let prefix = "skiathos_search_"

    /// The name of the FTS5 table that belongs to a table.
    static func name(of table: String) -> String { prefix + table }

    /// The name of the table that gives the rows of a table their numbers.
    static func numbers(of table: String) -> String { name(of: table) + "_numbers" }

    /// The name of the view that shows the rows of a table by their numbers.
    static func rows(of table: String) -> String { name(of: table) + "_rows" }

    /// Whether a table is called as one that gives rows their numbers, be it those of a table that is not
    /// there any more.
    static func isNumbers(_ table: String) -> Bool {
        table.hasPrefix(prefix) && table.hasSuffix("_numbers")
    }

    /// The statements that create the FTS5 table and its triggers.
    var creations: [String] { numbering + [tableCreation] + triggerCreations }

    /// The statement that creates the FTS5 table, without words.
    ///
    /// Words are compared without regard to case and accents.
    var tableCreation: String {
        let isNumbered = keyType != nil
        let content = isNumbered ? Self.rows(of: table) : table
        let options = [
            "content=\(SQLText.quote(content))",
            "content_rowid=\"\(isNumbered ? "skiathos_number" : "id")\"",
            "tokenize=\"unicode61 remove_diacritics 2\"",
        ]
        let arguments = (columns.map(SQLText.quote) + options).joined(separator: ", ")
        return "CREATE VIRTUAL TABLE \(quotedName) USING fts5(\(arguments))"
    }

    /// The statements that create the triggers.
    var triggerCreations: [String] {
        let changed = (["id"] + columns).map(SQLText.quote).joined(separator: ", ")
        let (counting, moving, forgetting) = numberChanges
        return [
            trigger("insert", "AFTER INSERT", counting + [addition]),
            trigger("update", "AFTER UPDATE OF \(changed)", [removal] + moving + [addition]),
            trigger("delete", "AFTER DELETE", [removal] + forgetting),
        ]
    }

    /// The statements that rebuild the index from the words of all rows.
    var fillings: [String] {
        let words = "INSERT INTO \(quotedName)(\(quotedName)) VALUES ('rebuild')"
        guard keyType != nil else { return [words] }
        let numbers = SQLText.quote(Self.numbers(of: table))
        return ["INSERT INTO \(numbers)(\"id\") SELECT \"id\" FROM \(SQLText.quote(table))", words]
    }

    /// The rows with the integers by which FTS5 knows them, as they stand behind `FROM`, and the name of
    /// the integer.
    var numberedRows: (source: String, number: String) {
        guard keyType != nil else { return ("main.\(SQLText.quote(table))", "\"id\"") }
        return ("main.\(SQLText.quote(Self.rows(of: table)))", "\"skiathos_number\"")
    }

    /// The statements that remove the triggers.
    static func triggerRemovals(of table: String) -> [String] {
        ["insert", "update", "delete"].map {
            "DROP TRIGGER IF EXISTS \(SQLText.quote(triggerName($0, of: table)))"
        }
    }

    /// The statements that remove the FTS5 table and its triggers.
    static func removals(of table: String) -> [String] {
        triggerRemovals(of: table) + [
            "DROP TABLE IF EXISTS \(SQLText.quote(name(of: table)))",
            "DROP VIEW IF EXISTS \(SQLText.quote(rows(of: table)))",
            "DROP TABLE IF EXISTS \(SQLText.quote(numbers(of: table)))",
        ]
    }

    /// The names of the tables, the view and the triggers that belong to a table.
    static func objectNames(of table: String) -> [String] {
        [name(of: table), numbers(of: table), rows(of: table)]
            + ["insert", "update", "delete"].map { triggerName($0, of: table) }
    }

    private var quotedName: String { SQLText.quote(Self.name(of: table)) }

    static func triggerName(_ event: String, of table: String) -> String {
        "\(name(of: table))_\(event)"
    }

    private func trigger(_ event: String, _ time: String, _ statements: [String]) -> String {
        let name = SQLText.quote(Self.triggerName(event, of: table))
        let body = statements.map { "\($0); " }.joined()
        return "CREATE TRIGGER \(name) \(time) ON \(SQLText.quote(table)) BEGIN \(body)END"
    }

    private var addition: String {
        "INSERT INTO \(quotedName)(\(names)) VALUES (\(values(of: "new")))"
    }

    /// Removes words by the old texts, since the FTS5 table does not store texts.
    private var removal: String {
        "INSERT INTO \(quotedName)(\(quotedName), \(names)) VALUES ('delete', \(values(of: "old")))"
    }

    private var names: String { (["rowid"] + columns).map(SQLText.quote).joined(separator: ", ") }

    private func values(of row: String) -> String {
        ([number(of: row)] + columns.map { "\(row).\(SQLText.quote($0))" }).joined(separator: ", ")
    }
}
