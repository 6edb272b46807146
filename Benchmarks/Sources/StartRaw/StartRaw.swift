import GRDBSQLite

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Opens the file that it is given, reads a company, and says so with one byte.
@main
struct StartRaw {
    static func main() {
        var database: OpaquePointer?
        var statement: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        guard CommandLine.arguments.count > 1,
            sqlite3_open_v2(CommandLine.arguments[1], &database, flags, nil) == SQLITE_OK,
            sqlite3_exec(database, "PRAGMA foreign_keys = ON", nil, nil, nil) == SQLITE_OK,
            sqlite3_prepare_v2(
                database, "SELECT id, name FROM company WHERE id = 1", -1, &statement, nil)
                == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW, let text = sqlite3_column_text(statement, 1),
            String(cString: text) == "Company 1"
        else { exit(1) }
        write(STDOUT_FILENO, ".", 1)
        sqlite3_finalize(statement)
        sqlite3_close_v2(database)
    }
}
