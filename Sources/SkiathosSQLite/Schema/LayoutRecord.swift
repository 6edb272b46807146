import GRDB
import SkiathosStore

/// A layout that a store has had, as its table of layouts has it.
struct LayoutRecord: Sendable {
    var fingerprint: String
    /// Its place among the layouts of the file.
    var position: Int
    /// `nil` where an older version of the package has recorded the fingerprint alone, and where
    /// another program has changed the text.
    var layout: StoreLayout?

    /// The layouts of a file, the current one last.
    static func all(in database: Database, withLayouts: Bool) throws -> [LayoutRecord] {
        let columns = "fingerprint, \(withLayouts ? "layout" : "NULL"), position"
        return try Row.fetchAll(
            database, sql: "SELECT \(columns) FROM skiathos_layout ORDER BY position"
        ).map { row in
            let texts = [0, 1].map { String.fromDatabaseValue(row[$0] as DatabaseValue) }
            return LayoutRecord(
                fingerprint: texts[0] ?? "",
                position: Int.fromDatabaseValue(row[2] as DatabaseValue) ?? 0,
                layout: texts[1].flatMap { StoreLayout(text: $0) })
        }
    }
}
