import GRDB
import SkiathosStore

/// The objects that a file may have beside the tables of the entities: those of full-text
/// search, and those that the program has declared.
struct AllowedObjects: Sendable {
    /// Whether triggers of the file may run.
    let allowsTriggers: Bool
    /// Whether views of the file may be read.
    let allowsViews: Bool
    /// In lower case, since SQLite does not tell it from upper case.
    private let declared: Set<String>

    /// None: neither triggers run nor views are read.
    static let none = AllowedObjects()

    private init() { (allowsTriggers, allowsViews, declared) = (false, false, []) }

    init(_ schema: StoreSchema, declared: Set<String>) {
        self.declared = Set(declared.map { $0.lowercased() })
        allowsTriggers = !declared.isEmpty || schema.entities.contains { !$0.searchable.isEmpty }
        allowsViews =
            !declared.isEmpty
            || schema.entities.contains { !$0.searchable.isEmpty && !$0.hasIntegerID }
    }

    /// Messages about objects of a file that are neither the package's own nor declared.
    func problems(among objects: [ForeignObject]) -> [String] {
        objects.filter { !declared.contains($0.name.lowercased()) }.map { object in
            "The file has \(object.description), which this program does not declare. Remove it with the program that made it, or, if it is yours, add \(StoreValue.quoted(object.name)) to Configuration.declaredObjects."
        }
    }
}

/// A trigger, view or virtual table that was not made by the package.
struct ForeignObject: Equatable, Sendable {
    enum Kind: String, Sendable {
        case trigger, view
        case virtualTable = "virtual table"
    }

    var kind: Kind
    var name: String
    /// The table of a trigger.
    var table: String

    /// A description of the object.
    var description: String {
        let place = kind == .trigger ? " on \(SQLText.quote(table))" : ""
        return "a \(kind.rawValue) \(SQLText.quote(name))\(place)"
    }
}

extension ForeignObject {
    /// The objects of a file that are not the package's own.
    ///
    /// ``SearchIndex`` compares the objects of search indexes with their tables. They are
    /// rebuilt before any row changes if they differ.
    static func introspect(_ database: Database, tables: [String]) throws -> [ForeignObject] {
        let own = Set(tables.flatMap { SearchIndex.objectNames(of: $0) })
        let objects = try Row.fetchAll(
            database,
            sql: """
                SELECT type, name, tbl_name, sql FROM sqlite_schema
                WHERE type IN ('trigger', 'view')
                    OR type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE %' ORDER BY rowid
                """)
        let all = objects.map { row in
            // A schema that was damaged while the store was open may have any values.
            [0, 1, 2, 3].map { String.fromDatabaseValue(row[$0] as DatabaseValue) ?? "" }
        }
        // A view remains when its table is dropped; the search index tells whose it was.
        let searched = all.filter { $0[0] == "table" && isOfSearching($0[1], sql: $0[3]) }
            .map { String($0[1].dropFirst(SearchIndex.prefix.count)) }
        let ownViews = Set((tables + searched).map(SearchIndex.rows))
        return all.compactMap { columns in
            let (name, table) = (columns[1], columns[2])
            switch columns[0] {
            case "trigger" where !own.contains(name):
                return ForeignObject(kind: .trigger, name: name, table: table)
            case "view" where ownViews.contains(name): return nil
            case "view": return ForeignObject(kind: .view, name: name, table: table)
            case "table" where !isOfSearching(name, sql: columns[3]):
                return ForeignObject(kind: .virtualTable, name: name, table: table)
            default: return nil
            }
        }
    }

    /// Whether a virtual table is a search index, also of a table that no longer exists.
    private static func isOfSearching(_ name: String, sql: String) -> Bool {
        name.hasPrefix(SearchIndex.prefix) && sql.contains(" USING fts5(")
    }
}
