import GRDBSQLite

/// Refuses floating point numbers where an integer was computed: SQLite turns a result beyond 64
/// bits into one (sqlite.org/lang_expr.html, section 2).
enum IntegerCheck {
    /// The name of the SQL function.
    static let function = "skiathos_integer"

    /// The message for a result beyond 64 bits, also of SQLite's own sum().
    static let failure = "integer overflow"

    /// Registers the function on a connection.
    static func register(on connection: OpaquePointer?) -> Int32 {
        SQLFunction.register(function, parameters: 1, on: connection) { context, _, values in
            switch sqlite3_value_type(values?[0]) {
            case SQLITE_INTEGER: sqlite3_result_int64(context, sqlite3_value_int64(values?[0]))
            case SQLITE_NULL: sqlite3_result_null(context)
            default: sqlite3_result_error(context, IntegerCheck.failure, -1)
            }
        }
    }
}
