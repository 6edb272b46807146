import GRDBSQLite

/// Returns its argument, without being a constant for SQLite.
///
/// SQLite computes each constant of a statement, also a parameter, once before its loops, and compares it
/// with all others to compute equal ones once (sqlite3ExprCodeRunJustOnce in its expr.c). That takes time
/// that grows with the square of their number: minutes for 100,000. The parameters behind the first ones of
/// a long statement are therefore arguments of this function.
enum PlainValue {
    /// The name of the SQL function.
    static let function = "skiathos_value"

    /// How many parameters of a statement are constants.
    static let firstOfMany = 1_000

    /// Registers the function on a connection.
    static func register(on connection: OpaquePointer?) -> Int32 {
        sqlite3_create_function_v2(
            connection, function, 1, SQLITE_UTF8 | SQLITE_INNOCUOUS, nil,
            { context, _, values in sqlite3_result_value(context, values?[0]) }, nil, nil, nil)
    }
}
