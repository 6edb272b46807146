import GRDBSQLite
import SkiathosStore

/// A table of one column in a temporary database of SQLite, which lies in memory until it is large and
/// then in a file that goes with the process (sqlite.org/inmemorydb.html, section 3).
///
/// It has a connection of its own. A temporary table of the writer's connection would be rolled back with
/// the scope in which it was made, and making one has SQLite compile all statements of the connection
/// anew.
///
/// Not `Sendable`: used only by the thread that goes through the table.
final class TemporaryTable {
    private let errors: ErrorTranslation
    private var connection: OpaquePointer?
    private var insertion: OpaquePointer?
    private var selection: OpaquePointer?

    /// Makes an empty table.
    init(_ errors: ErrorTranslation) throws {
        self.errors = errors
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        // An empty name is that of a temporary database.
        try check(sqlite3_open_v2("", &connection, flags, nil))
        // Nothing is ever rolled back.
        try execute("PRAGMA journal_mode = OFF")
        try execute("CREATE TABLE list (value)")
        try execute("BEGIN")
        insertion = try compile("INSERT INTO list VALUES (?)")
        selection = try compile("SELECT value FROM list ORDER BY rowid")
    }

    deinit {
        sqlite3_finalize(insertion)
        sqlite3_finalize(selection)
        sqlite3_close(connection)
    }

    /// Adds a value at the end.
    func append(_ value: StoreValue) throws {
        guard let insertion else { return }
        try value.bind(
            to: ParameterWriter(statement: insertion, functions: SQLiteFunctions.table.pointer),
            at: 0)
        let code = sqlite3_step(insertion)
        sqlite3_reset(insertion)
        try check(code)
    }

    /// Adds the next values to a list, as many as wanted or as there are.
    func read(_ count: Int, into values: inout [StoreValue]) throws {
        guard let selection else { return }
        for _ in 0..<count {
            let code = sqlite3_step(selection)
            guard code == SQLITE_ROW else {
                // At the end, a further step would begin at the first value again.
                sqlite3_finalize(selection)
                self.selection = nil
                return try check(code)
            }
            values.append(StoreValue(selection, column: 0))
        }
    }

    private func execute(_ sql: String) throws {
        try check(sqlite3_exec(connection, sql, nil, nil, nil))
    }

    private func compile(_ sql: String) throws -> OpaquePointer? {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v2(connection, sql, -1, &statement, nil))
        return statement
    }

    private func check(_ code: Int32) throws {
        guard ![SQLITE_OK, SQLITE_ROW, SQLITE_DONE].contains(code) else { return }
        let message = sqlite3_errmsg(connection).map { String(cString: $0) }
        throw errors.error(code, message ?? "no message")
    }
}
