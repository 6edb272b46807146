import GRDB
import SkiathosStore

/// The schema of a file as it was read at one moment.
struct SchemaSnapshot: Sendable {
    /// The tables, without those of the store's own.
    var tables: [TableInfo]
    /// The tables of the store's own.
    var bookkeeping: [TableInfo]
    /// The missing tables whose search index still exists.
    var orphanedSearches: [String]
    /// The triggers, views and virtual tables that are not the package's own.
    var foreignObjects: [ForeignObject]
    /// The names of the steps that the store has been through.
    var appliedSteps: Set<String>
    /// The layouts that it has had, the current one last.
    var layouts: [LayoutRecord]
    /// Whether the file keeps fingerprints of layouts alone, as those of layout version 1 do.
    var isOfVersion1: Bool
    /// The names of all tables, indexes and views, in lower case, with their types.
    var objects: [String: String]

    /// Reads the schema of a file.
    static func introspect(_ database: Database) throws -> SchemaSnapshot {
        let all = try TableInfo.introspect(database)
        let ownNames = Set(TableLayout.bookkeeping.map(\.name))
        let own = all.filter { ownNames.contains($0.name) }
        func has(_ table: TableLayout) -> Bool {
            own.contains { $0.layout.hasSameTable(as: table) }
        }
        let isOfVersion1 = has(.layoutsOfVersion1)
        let objects = try Row.fetchAll(
            database,
            sql: "SELECT name, type FROM sqlite_schema WHERE type <> 'trigger' ORDER BY rowid")
        return SchemaSnapshot(
            tables: all.filter { !ownNames.contains($0.name) }, bookkeeping: own,
            orphanedSearches: try SearchIndex.tables(in: database)
                .filter { name in !all.contains { $0.name == name } },
            foreignObjects: try ForeignObject.introspect(database, tables: all.map(\.name)),
            appliedSteps: has(.migrations)
                ? try String.fetchSet(database, sql: "SELECT name FROM skiathos_migration") : [],
            layouts: isOfVersion1 || has(.layouts)
                ? try LayoutRecord.all(in: database, withLayouts: !isOfVersion1) : [],
            isOfVersion1: isOfVersion1,
            objects: Dictionary(
                objects.map { (($0["name"] as String).lowercased(), $0["type"] as String) },
                uniquingKeysWith: { first, _ in first }))
    }

    /// The tables of the store's own that the file lacks.
    var missingBookkeeping: [TableLayout] {
        let names = Set(bookkeeping.map(\.name))
        return TableLayout.bookkeeping.filter { !names.contains($0.name) }
    }
}

extension TableLayout {
    /// Whether two tables have the same columns, whatever their order, and references.
    func hasSameTable(as other: TableLayout) -> Bool {
        form == other.form
    }

    /// The fingerprint of a layout in files of layout version 1: a text that is equal for tables with the
    /// same columns and references, in any order.
    ///
    /// It knows nothing of unique columns, full-text search and types that are stored alike.
    static func fingerprint(of tables: [TableLayout]) -> String {
        let text = tables.sorted { $0.name < $1.name }.map(\.form).joined(separator: "\n")
        return String(Fingerprint.hash(text), radix: 16)
    }

    private var form: String {
        let columns = columns.map {
            "\(SQLText.quote($0.name)) \($0.type) \($0.isRequired) \($0.isKey)"
        }
        let references = references.map {
            "\(SQLText.quote($0.column)) \(Self.definition(of: $0))"
        }
        let parts = [SQLText.quote(name), "\(isStrict) \(hasRowID)"]
        return (parts + columns.sorted() + references.sorted()).joined(separator: ", ")
    }
}
