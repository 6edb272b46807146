import GRDB
import SkiathosStore

/// A row of the table that holds a file's schema.
struct StoredObject: Sendable {
    var type: String
    var name: String
    var table: String
    /// Where its rows begin; 0 for what has none.
    var root: Int64
    /// The statement that has made it; none for the indexes of constraints.
    var sql: String?

    /// Whether it is a table whose rows a module keeps.
    var isVirtual: Bool { type == "table" && root == 0 }

    /// All objects of a file.
    ///
    /// SQLite executes the statements of this table when it opens a file, whatever stands in
    /// the other columns. So a row whose columns contradict its statement is refused here: a
    /// trigger could be declared as an index, and two tables could share one root page.
    ///
    /// - Throws: ``StoreError`` with code `damaged`.
    static func all(in database: Database, file: String) throws -> [StoredObject] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema ORDER BY rowid
                """)
        var roots: Set<Int64> = [1]
        let objects = rows.compactMap { row -> StoredObject? in
            guard let object = StoredObject(row), object.isConsistent,
                object.root == 0 || roots.insert(object.root).inserted
            else { return nil }
            return object
        }
        guard objects.count == rows.count, hasNumbers(objects) else {
            throw StoreError(
                .damaged,
                "The schema in \"\(file)\" is damaged, or was changed by hand: it has an entry that SQLite would not write. Restore the store from a backup; the file was left as it was."
            )
        }
        return objects
    }

    /// SQLite keeps the numbers of tables that never use one twice in a table of its own.
    private static func hasNumbers(_ objects: [StoredObject]) -> Bool {
        objects.contains { $0.name == "sqlite_sequence" }
            || !objects.contains { SQLWords($0.sql ?? "").unquoted.contains("AUTOINCREMENT") }
    }

    private init?(_ row: Row) {
        guard let type = String.fromDatabaseValue(row[0] as DatabaseValue),
            let name = String.fromDatabaseValue(row[1] as DatabaseValue),
            let table = String.fromDatabaseValue(row[2] as DatabaseValue),
            case .int64(let root) = (row[3] as DatabaseValue).storage
        else { return nil }
        self.type = type
        self.name = name
        self.table = table
        self.root = root
        sql = String.fromDatabaseValue(row[4] as DatabaseValue)
    }

    private var isConsistent: Bool {
        guard let sql else {
            return type == "index" && root > 1 && name.hasPrefix("sqlite_autoindex_")
        }
        // SQLite writes the words before the name itself, whatever the user wrote.
        let beginnings =
            switch type {
            case "table": root == 0 ? ["CREATE VIRTUAL TABLE "] : ["CREATE TABLE "]
            case "index": ["CREATE INDEX ", "CREATE UNIQUE INDEX "]
            case "trigger": ["CREATE TRIGGER "]
            case "view": ["CREATE VIEW "]
            default: [String]()
            }
        let hasRoot = ["table", "index"].contains(type) && !isVirtual
        guard let beginning = beginnings.first(where: { sql.hasPrefix($0) }),
            hasRoot ? root > 1 : root == 0
        else { return false }
        return SQLWords(String(sql.dropFirst(beginning.count))).firstName == name
    }
}
