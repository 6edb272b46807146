import GRDBSQLite
import SkiathosStore

/// The session that a step of a migration uses.
///
/// Not `Sendable`: used on the queue of the migration's connection alone.
final class MigrationSession: StoreMigrationSession {
    let schema: StoreSchema
    /// The tables that rows were inserted into from others.
    private(set) var filledTables: Set<String> = []

    let run: MigrationRun
    let step: StoreMigration
    let progress: (@Sendable (MigrationProgress) -> Void)?
    private let connection: MigrationConnection

    init(_ run: MigrationRun, step: StoreMigration) {
        self.run = run
        self.step = step
        connection = run.connection
        schema = run.schema
        progress = run.options.migrationProgress
    }

    /// Records that rows were inserted into a table.
    func recordFilled(_ table: String) { filledTables.insert(table) }

    func columns(of table: String) throws -> [String]? {
        try run.columnNames(of: table)
    }

    func execute(_ statement: String, _ values: [StoreValue]) throws -> Int {
        try StepStatement.check(statement, step: step.name)
        try connection.run(statement, values)
        return connection.changeCount
    }

    func rows(_ query: String, _ values: [StoreValue], _ body: (OldRow) throws -> Void) throws {
        try StepStatement.check(query, step: step.name)
        var columns: [String]?
        try connection.run(query, values) { row in
            let names = columns ?? Self.columnNames(of: row)
            columns = names
            try body(OldRow(columns: names, values: StoreValue.values(of: row)))
        }
    }

    private static func columnNames(of row: OpaquePointer) -> [String] {
        (0..<sqlite3_column_count(row)).map { column in
            sqlite3_column_name(row, column).map { String(cString: $0) } ?? ""
        }
    }

    /// The names of the columns of a table that must exist.
    func presentColumns(of table: String) throws -> [String] {
        guard let names = try columns(of: table) else {
            throw StoreError(
                .migrationFailed,
                "The step \"\(step.name)\" asked for the table \"\(table)\", which does not exist. Tables have their new names already."
            )
        }
        return names
    }
}
