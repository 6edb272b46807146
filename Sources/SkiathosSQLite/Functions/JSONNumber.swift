import GRDBSQLite

/// The floating point number that is nearest to the digits of a JSON number.
///
/// Numbers are written with the fewest digits that lead back to them, and read again by Swift. SQLite
/// reads digits with the precision of the machine, which does not always lead to the nearest number.
enum JSONNumber {
    /// The name of the SQL function.
    static let function = "skiathos_json_number"

    /// Registers the function on a connection.
    static func register(on connection: OpaquePointer?) -> Int32 {
        SQLFunction.register(function, parameters: 1, on: connection) { context, _, values in
            // `null`, and what is no number, has no value.
            guard let number = SQLFunction.text(values?[0]).flatMap({ Double($0) }) else {
                sqlite3_result_null(context)
                return
            }
            sqlite3_result_double(context, number)
        }
    }
}
