import GRDB
import SkiathosStore

/// Inserts rows of an entity during a migration, while old columns still exist.
///
/// Such a column may be required. In a converted column the new value is also stored as the
/// old one, as far as SQLite can convert it, so that the converting step finds it. A column
/// that will be dropped gets zero, or an empty value.
struct RowInsertion {
    private let run: MigrationRun
    private let sql: String
    /// The positions of the new values that old columns get, too.
    private let copies: [Int]

    init(_ entity: EntitySchema, columns: [String], in run: MigrationRun) throws {
        self.run = run
        let targets = EntityRows.targets(entity, columns)
        let left = try TableInfo.required(of: entity.table, in: run.connection.database)
            .filter { !targets.contains($0.name) }
        var names = targets
        var values = Array(repeating: "?", count: targets.count)
        var copies: [Int] = []
        for column in left {
            names.append(column.name)
            if let position = entity.columns.firstIndex(where: { $0.name == column.name }) {
                copies.append(position)
                values.append("coalesce(CAST(? AS \(column.type)), \(column.emptyLiteral))")
            } else {
                values.append(column.emptyLiteral)
            }
        }
        self.copies = copies
        // These rows have equal values there, for the moment.
        _ = try run.dropUniqueIndexes(of: entity.table, on: left.map(\.name))
        sql = """
            INSERT INTO \(SQLText.quote(entity.table)) (\(SchemaChange.list(names))) \
            VALUES (\(values.joined(separator: ", ")))
            """
    }

    func insert(_ values: [StoreValue]) throws {
        try run.connection.run(sql, values + copies.map { values[$0] })
    }
}

extension TableLayout.Column {
    /// An empty value of the column's type.
    fileprivate var emptyLiteral: String {
        switch type {
        case "INTEGER": "0"
        case "REAL": "0.0"
        case "BLOB": "x''"
        default: "''"
        }
    }
}

extension TableInfo {
    /// The columns of a table that need a value and have no default.
    fileprivate static func required(
        of table: String, in database: Database
    ) throws -> [TableLayout.Column] {
        let sql = """
            SELECT name, type FROM pragma_table_xinfo(?)
            WHERE "notnull" AND dflt_value IS NULL ORDER BY cid
            """
        return try Row.fetchAll(database, sql: sql, arguments: [table]).map { row in
            TableLayout.Column(
                name: row["name"], type: row["type"], isRequired: true, isKey: false)
        }
    }
}
