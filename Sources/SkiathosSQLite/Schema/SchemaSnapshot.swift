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
    /// The fingerprints of the layouts that it has had, the current one last.
    var layouts: [String]

    /// Reads the schema of a file.
    static func introspect(_ database: Database) throws -> SchemaSnapshot {
        let all = try TableInfo.introspect(database)
        let ownNames = Set(TableLayout.bookkeeping.map(\.name))
        let own = all.filter { ownNames.contains($0.name) }
        func has(_ table: TableLayout) -> Bool {
            own.contains { $0.layout.hasSameTable(as: table) }
        }
        return SchemaSnapshot(
            tables: all.filter { !ownNames.contains($0.name) }, bookkeeping: own,
            orphanedSearches: try SearchIndex.tables(in: database)
                .filter { name in !all.contains { $0.name == name } },
            foreignObjects: try ForeignObject.introspect(database, tables: all.map(\.name)),
            appliedSteps: has(.migrations)
                ? try String.fetchSet(database, sql: "SELECT name FROM skiathos_migration") : [],
            layouts: has(.layouts)
                ? try String.fetchAll(
                    database, sql: "SELECT fingerprint FROM skiathos_layout ORDER BY position") : []
        )
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

    /// A text that is equal for tables with the same columns and references, in any order.
    ///
    /// Indexes and full-text search hold no data and are not part of it.
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
