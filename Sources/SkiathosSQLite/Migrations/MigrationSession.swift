import GRDBSQLite
import SkiathosStore

/// What a step of a migration works with.
///
/// Not `Sendable`: used on the queue of the migration's connection alone.
final class MigrationSession: StoreMigrationSession {
    let schema: StoreSchema
    /// The tables that rows were inserted into from others.
    private(set) var filledTables: Set<String> = []

    /// How many rows are in memory at once.
    private static let pageSize = 256

    private let connection: MigrationConnection
    private let step: String
    private let progress: (@Sendable (MigrationProgress) -> Void)?

    init(_ run: MigrationRun, step: String) {
        self.step = step
        connection = run.connection
        schema = run.schema
        progress = run.options.migrationProgress
    }

    func columns(of table: String) throws -> [String]? {
        let names = try connection.texts(
            "SELECT name FROM pragma_table_xinfo(\(StoreValue.quoted(table))) ORDER BY cid")
        return names.isEmpty ? nil : names
    }

    func execute(_ statement: String, _ values: [StoreValue]) throws -> Int {
        try StepStatement.check(statement, step: step)
        try connection.run(statement, values)
        return connection.changeCount
    }

    func rows(_ query: String, _ values: [StoreValue], _ body: (OldRow) throws -> Void) throws {
        try StepStatement.check(query, step: step)
        var columns: [String]?
        try connection.run(query, values) { row in
            let names = columns ?? Self.columnNames(of: row)
            columns = names
            try body(OldRow(columns: names, values: StoreValue.values(of: row)))
        }
    }

    func transform(
        from table: String?, into entity: Int, _ body: (OldRow) throws -> [StoreValue]
    ) throws {
        let target = schema.entities[entity]
        if let table {
            try insert(from: table, into: target, body)
        } else {
            try update(target, body)
        }
    }

    private static func columnNames(of row: OpaquePointer) -> [String] {
        (0..<sqlite3_column_count(row)).map { column in
            sqlite3_column_name(row, column).map { String(cString: $0) } ?? ""
        }
    }

    /// The names of the columns of a table that has to be there.
    private func presentColumns(of table: String) throws -> [String] {
        guard let names = try columns(of: table) else {
            throw StoreError(
                .migrationFailed,
                "The step \"\(step)\" asked for the table \"\(table)\", which is not there. Tables have their present names already."
            )
        }
        return names
    }

    /// Where the values of an entity's columns go, while old ones are beside them.
    private func targets(_ entity: EntitySchema, _ columns: [String]) -> [String] {
        entity.columns.map { column in
            let converted = TableRebuild.prefix + column.name
            return columns.contains(converted) ? converted : column.name
        }
    }

    private func insert(
        from table: String, into entity: EntitySchema, _ body: (OldRow) throws -> [StoreValue]
    ) throws {
        guard table.lowercased() != entity.table.lowercased() else {
            throw StoreError(
                .migrationFailed,
                "The step \"\(step)\" makes rows of \"\(table)\" from its own rows. Leave the table out to change them."
            )
        }
        filledTables.insert(entity.table)
        let columns = try presentColumns(of: table)
        let names = targets(entity, try presentColumns(of: entity.table))
        let marks = Array(repeating: "?", count: names.count).joined(separator: ", ")
        let insertion = """
            INSERT INTO \(SQLText.quote(entity.table)) (\(SchemaChange.list(names))) VALUES (\(marks))
            """
        var report = try report(on: table)
        try connection.run("SELECT \(SchemaChange.list(columns)) FROM \(SQLText.quote(table))") {
            let old = OldRow(columns: columns, values: StoreValue.values(of: $0))
            try connection.run(insertion, try body(old))
            report.rowsDone += 1
            if report.rowsDone % Self.pageSize == 0 { progress?(report) }
        }
        if report.rowsDone % Self.pageSize != 0 || report.rowsDone == 0 { progress?(report) }
    }

    private func update(
        _ entity: EntitySchema, _ body: (OldRow) throws -> [StoreValue]
    ) throws {
        let all = try presentColumns(of: entity.table)
        let columns = all.filter { !$0.hasPrefix(TableRebuild.prefix) }
        let names = targets(entity, all)
        let (table, id) = (SQLText.quote(entity.table), SQLText.quote(entity.columns[0].name))
        var report = try report(on: entity.table)
        var last: StoreValue?
        while true {
            let after = last == nil ? "" : " WHERE \(id) > ?"
            var page: [OldRow] = []
            try connection.run(
                """
                SELECT \(SchemaChange.list(columns)) FROM \(table)\(after) \
                ORDER BY \(id) LIMIT \(Self.pageSize)
                """, last.map { [$0] } ?? []
            ) { page.append(OldRow(columns: columns, values: StoreValue.values(of: $0))) }
            for row in page { try store(try body(row), row, entity, names) }
            report.rowsDone += page.count
            if !page.isEmpty || last == nil { progress?(report) }
            last = page.last?.storedValue(of: entity.columns[0].name)
            guard page.count == Self.pageSize else { return }
        }
    }

    /// Stores what has changed of a row.
    private func store(
        _ values: [StoreValue], _ old: OldRow, _ entity: EntitySchema, _ names: [String]
    ) throws {
        let changed = values.indices.dropFirst().filter { position in
            let name = entity.columns[position].name
            return names[position] != name || old.storedValue(of: name) != values[position]
        }
        guard !changed.isEmpty else { return }
        let assignments = changed.map { "\(SQLText.quote(names[$0])) = ?" }
        let sql = """
            UPDATE \(SQLText.quote(entity.table)) SET \(assignments.joined(separator: ", ")) \
            WHERE \(SQLText.quote(entity.columns[0].name)) = ?
            """
        try connection.run(sql, changed.map { values[$0] } + [values[0]])
    }

    private func report(on table: String) throws -> MigrationProgress {
        let count = try connection.integer("SELECT count(*) FROM \(SQLText.quote(table))")
        return MigrationProgress(step: step, table: table, rowsDone: 0, rowCount: count)
    }
}
