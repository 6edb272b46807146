import GRDB
import GRDBSQLite
import SkiathosStore

/// The connection of a migration, which executes every statement of it.
///
/// Not `Sendable`: used on the queue of its connection alone.
final class MigrationConnection {
    /// Called before every statement; may throw instead of it.
    typealias Witness = @Sendable (String) throws -> Void

    let database: Database
    private let statements: StatementCache
    private let errors: ErrorTranslation
    private let witness: Witness?
    /// Whether the opening of the store was given up.
    private let isCancelled: (@Sendable () -> Bool)?

    init(
        _ database: Database, _ errors: ErrorTranslation, witness: Witness? = nil,
        isCancelled: (@Sendable () -> Bool)? = nil
    ) {
        self.database = database
        self.errors = errors
        self.witness = witness
        self.isCancelled = isCancelled
        statements = StatementCache { try database.makeStatement(sql: $0) }
        if isCancelled != nil { installCancellationCheck() }
    }

    deinit {
        if isCancelled != nil { sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil) }
    }

    /// Has SQLite ask while a statement runs, at intervals of some tenths of a millisecond.
    private func installCancellationCheck() {
        let connection = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_progress_handler(
            database.sqliteConnection, 10_000,
            { connection in
                guard let connection else { return 0 }
                let migration = Unmanaged<MigrationConnection>.fromOpaque(connection)
                    .takeUnretainedValue()
                return migration.isCancelled?() == true ? 1 : 0
            }, connection)
    }

    private func checkCancellation() throws {
        if let isCancelled, isCancelled() { throw CancellationError() }
    }

    /// Executes a statement and passes each of its rows to a closure, which must not store it.
    func run(
        _ sql: String, _ values: [StoreValue] = [], _ row: (OpaquePointer) throws -> Void = { _ in }
    ) throws {
        try witness?(sql)
        try checkCancellation()
        do {
            // Settings take effect when they are compiled.
            let isSetting = sql.hasPrefix("PRAGMA")
            let statement = try isSetting ? statements.compile(sql) : statements.statement(sql)
            try statement.use { statement in
                try bind(values, to: statement)
                var code = sqlite3_step(statement.pointer)
                while code == SQLITE_ROW {
                    try row(statement.pointer)
                    code = sqlite3_step(statement.pointer)
                }
                if code & 0xFF == SQLITE_INTERRUPT { try checkCancellation() }
                guard code == SQLITE_DONE else { throw failure(code) }
            }
        } catch let failure as DatabaseError {
            throw errors.error(failure)
        }
    }

    /// The integer in the first row and column of a query, or 0.
    func integer(_ sql: String, _ values: [StoreValue] = []) throws -> Int {
        var found = 0
        try run(sql, values) { found = Int(sqlite3_column_int64($0, 0)) }
        return found
    }

    /// The texts in the first column of a query.
    func strings(_ sql: String) throws -> [String] {
        var found: [String] = []
        try run(sql) { row in
            if let text = sqlite3_column_text(row, 0) { found.append(String(cString: text)) }
        }
        return found
    }

    /// How many rows the last statement has changed.
    var changeCount: Int { database.sqliteConnection.map { Int(sqlite3_changes64($0)) } ?? 0 }

    /// Whether a transaction is open.
    var isInTransaction: Bool {
        database.sqliteConnection.map { sqlite3_get_autocommit($0) == 0 } ?? false
    }

    private func bind(_ values: [StoreValue], to statement: PreparedStatement) throws {
        let count = Int(sqlite3_bind_parameter_count(statement.pointer))
        guard count == values.count else {
            throw StoreError(
                .migrationFailed,
                "A statement of a migration has \(count) parameters, but was given \(values.count) values. Give one for each."
            )
        }
        let parameters = statement.parameters
        for (position, value) in values.enumerated() {
            do {
                try value.bind(to: parameters, at: position)
            } catch let failure as BackendFailure {
                throw self.failure(failure.code)
            }
        }
    }

    private func failure(_ code: Int32) -> StoreError {
        let handle = database.sqliteConnection
        let isLast = handle.map { sqlite3_extended_errcode($0) == code } ?? false
        let message = isLast ? sqlite3_errmsg(handle) : sqlite3_errstr(code)
        return errors.error(code, message.map { String(cString: $0) } ?? "no message")
    }
}

extension StoreValue {
    /// The value in a column of a row.
    init(_ row: OpaquePointer, column: Int32) {
        switch sqlite3_column_type(row, column) {
        case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(row, column))
        case SQLITE_FLOAT: self = .real(sqlite3_column_double(row, column))
        case SQLITE_TEXT:
            let start = sqlite3_column_text(row, column)
            let count = Int(sqlite3_column_bytes(row, column))
            self = .text(
                String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
        case SQLITE_BLOB:
            let start = sqlite3_column_blob(row, column)
            let count = Int(sqlite3_column_bytes(row, column))
            self = .blob(Array(UnsafeRawBufferPointer(start: start, count: count)))
        default: self = .null
        }
    }

    /// The values of all columns of a row.
    static func values(of row: OpaquePointer) -> [StoreValue] {
        (0..<sqlite3_column_count(row)).map { StoreValue(row, column: $0) }
    }
}
