import SkiathosStore

/// The words of an entity's searchable columns: an FTS5 table that keeps the words alone, and the
/// triggers that keep it in step with the rows (sqlite.org/fts5.html, section 4.4.3).
///
/// Triggers see every change, whoever makes it: units of work, changes of whole sets, the delete
/// rules of references, and raw SQL.
struct SearchIndex: Equatable, Sendable {
    /// The table whose rows are searched.
    var table: String
    /// The columns whose words are kept, in the order of the FTS5 table.
    var columns: [String]

    /// What the names of all tables and triggers of search begin with.
    static let prefix = "skiathos_search_"

    /// The name of the FTS5 table that belongs to a table.
    static func name(of table: String) -> String { prefix + table }

    /// The statements that create the FTS5 table and its triggers.
    var creations: [String] { [tableCreation] + triggerCreations }

    /// The statement that creates the FTS5 table, without words.
    ///
    /// Words are compared without regard to case and accents.
    var tableCreation: String {
        let options = [
            "content=\(SQLText.quote(table))", "content_rowid=\"id\"",
            "tokenize=\"unicode61 remove_diacritics 2\"",
        ]
        let arguments = (columns.map(SQLText.quote) + options).joined(separator: ", ")
        return "CREATE VIRTUAL TABLE \(quotedName) USING fts5(\(arguments))"
    }

    /// The statements that create the triggers.
    var triggerCreations: [String] {
        let changed = (["id"] + columns).map(SQLText.quote).joined(separator: ", ")
        return [
            trigger("insert", "AFTER INSERT", [addition]),
            trigger("update", "AFTER UPDATE OF \(changed)", [removal, addition]),
            trigger("delete", "AFTER DELETE", [removal]),
        ]
    }

    /// The statement that takes the words of all rows anew.
    var filling: String { "INSERT INTO \(quotedName)(\(quotedName)) VALUES ('rebuild')" }

    /// The statements that remove the triggers.
    static func triggerRemovals(of table: String) -> [String] {
        ["insert", "update", "delete"].map {
            "DROP TRIGGER IF EXISTS \(SQLText.quote(triggerName($0, of: table)))"
        }
    }

    /// The statements that remove the FTS5 table and its triggers.
    static func removals(of table: String) -> [String] {
        triggerRemovals(of: table) + ["DROP TABLE IF EXISTS \(SQLText.quote(name(of: table)))"]
    }

    /// The names of the triggers and the FTS5 table of a table.
    static func objectNames(of table: String) -> [String] {
        [name(of: table)] + ["insert", "update", "delete"].map { triggerName($0, of: table) }
    }

    private var quotedName: String { SQLText.quote(Self.name(of: table)) }

    private static func triggerName(_ event: String, of table: String) -> String {
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

    /// The words are found by the old texts, since the FTS5 table keeps no texts.
    private var removal: String {
        "INSERT INTO \(quotedName)(\(quotedName), \(names)) VALUES ('delete', \(values(of: "old")))"
    }

    private var names: String { (["rowid"] + columns).map(SQLText.quote).joined(separator: ", ") }

    private func values(of row: String) -> String {
        (["id"] + columns).map { "\(row).\(SQLText.quote($0))" }.joined(separator: ", ")
    }
}
