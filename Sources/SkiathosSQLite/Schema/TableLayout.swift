import SkiathosStore

/// The layout of a table, as found in a file or as expected, for comparison.
struct TableLayout: Equatable, Sendable {
    /// One column.
    struct Column: Equatable, Sendable {
        var name: String
        /// The type as SQLite knows it.
        var type: String
        var isRequired: Bool
        var isKey: Bool
        /// The value of existing rows when the column is added; only for expected columns.
        var defaultValue: StoreValue?
        /// The names that it had before; known of expected columns only.
        var formerNames: [String] = []

        /// Whether two columns hold the same values.
        func hasSameForm(as other: Column) -> Bool {
            type == other.type && isRequired == other.isRequired && isKey == other.isKey
        }
    }

    /// One column of an index.
    struct IndexColumn: Hashable, Sendable {
        var name: String
        /// The order of its values, where that is not SQLite's.
        ///
        /// An index serves only conditions and sort keys with the same order.
        var collation: String?
    }

    /// One foreign key.
    struct Reference: Hashable, Sendable {
        var column: String
        var target: String
        var targetColumn: String
        /// The action as SQLite writes it.
        var onDelete: String
    }

    var name: String
    var isStrict: Bool
    /// Whether rows are found by an integer, and not by a key of another type.
    var hasRowID: Bool
    var columns: [Column]
    var references: [Reference]
    /// Sets of columns that are unique together, beside the key.
    var uniqueKeys: [[IndexColumn]]
    /// Sets of columns with an index that is not unique.
    var indexes: [[IndexColumn]]
    /// The columns with full-text search.
    var searchable: [String] = []
    /// The names that the table had before; known of expected tables only.
    var formerNames: [String] = []
}

extension TableLayout {
    /// The tables of the store's own.
    static let bookkeeping = [sequence, migrations, layouts]

    /// The table of the migration steps that were applied to the store.
    static let migrations = TableLayout(
        name: "skiathos_migration", isStrict: true, hasRowID: false,
        columns: [
            Column(name: "name", type: "TEXT", isRequired: true, isKey: true),
            Column(name: "applied", type: "TEXT", isRequired: true, isKey: false),
        ], references: [], uniqueKeys: [], indexes: [])

    /// The table of the layouts that the store has had, by which a program detects changes of
    /// a newer one.
    static let layouts: TableLayout = {
        var table = layoutsOfVersion1
        table.columns.append(
            Column(name: "layout", type: "TEXT", isRequired: false, isKey: false))
        return table
    }()

    /// The table of the layouts in files of layout version 1, which kept their fingerprints alone.
    static let layoutsOfVersion1 = TableLayout(
        name: "skiathos_layout", isStrict: true, hasRowID: false,
        columns: [
            Column(name: "fingerprint", type: "TEXT", isRequired: true, isKey: true),
            Column(name: "position", type: "INTEGER", isRequired: true, isKey: false),
            Column(name: "applied", type: "TEXT", isRequired: true, isKey: false),
        ], references: [], uniqueKeys: [], indexes: [])

    /// The table of the largest allocated integer IDs.
    static let sequence = TableLayout(
        name: "skiathos_sequence", isStrict: true, hasRowID: false,
        columns: [
            Column(name: "entity", type: "TEXT", isRequired: true, isKey: true),
            Column(name: "highest", type: "INTEGER", isRequired: true, isKey: false),
        ], references: [], uniqueKeys: [], indexes: [])

    /// The tables of a schema, with the store's own.
    static func expected(by schema: StoreSchema) -> [TableLayout] {
        bookkeeping + entities(of: schema)
    }

    /// The tables of the entities.
    static func entities(of schema: StoreSchema) -> [TableLayout] {
        schema.entities.map { TableLayout($0, in: schema) }
    }

    private init(_ entity: EntitySchema, in schema: StoreSchema) {
        let names = entity.columns.map(\.name)
        name = entity.table
        isStrict = true
        hasRowID = entity.hasIntegerID
        columns = entity.columns.enumerated().map { position, column in
            Column(
                name: column.name, type: column.storage.sqlType, isRequired: !column.isOptional,
                isKey: position == 0, defaultValue: column.defaultValue,
                formerNames: column.formerNames)
        }
        references = entity.columns.compactMap { column in
            column.reference.flatMap { reference in
                schema.target(of: reference).map { target in
                    Reference(
                        column: column.name, target: schema.entities[target].table,
                        targetColumn: schema.entities[target].columns[0].name,
                        onDelete: reference.onDelete.sqlAction)
                }
            }
        }
        var unique: [[Int]] = []
        // The ID is unique without help.
        for key in entity.uniqueKeys where key != [0] && !unique.contains(key) {
            unique.append(key)
        }
        var served = Set(unique.compactMap(\.first))
        served.insert(0)
        // Deleting a row looks up those that refer to it, so every reference has an index.
        let wanted = entity.indexedColumns + entity.referenceColumns
        let plain = wanted.filter { served.insert($0).inserted }
        let indexed = entity.columns.map {
            IndexColumn(
                name: $0.name,
                collation: $0.storage == .decimal ? DecimalOrder.collation : nil)
        }
        uniqueKeys = unique.map { $0.map { indexed[$0] } }
        indexes = plain.map { [indexed[$0]] }
        searchable = entity.searchable.map { names[$0] }
        formerNames = entity.formerTables
    }
}

extension StorageClass {
    /// The type of a column in a strict table.
    var sqlType: String {
        switch self {
        case .integer: "INTEGER"
        case .real: "REAL"
        case .text, .decimal: "TEXT"
        case .blob: "BLOB"
        }
    }
}

extension ColumnSchema.DeleteRule {
    /// The action of a foreign key.
    ///
    /// Denying waits for the end of the transaction, in which the referring rows may be deleted
    /// or changed too.
    fileprivate var sqlAction: String {
        switch self {
        case .nullify: "SET NULL"
        case .cascade: "CASCADE"
        case .deny: "NO ACTION"
        }
    }
}
