import GRDBSQLite
import SkiathosStore

/// Checks values that a statement computes for a column against the column's type.
///
/// Values of properties are checked when they are bound; these come from SQLite's own arithmetic.
enum ColumnCheck {
    /// The name of the SQL function for numbers in a range: the number, the smallest, the largest.
    static let within = "skiathos_within"
    /// The name of the SQL function that rounds to single precision.
    static let single = "skiathos_single"
    /// The name of the SQL function that asks the column's type: the value, the positions of
    /// the entity and of the column.
    static let readable = "skiathos_readable"

    /// The message for a value that the column cannot hold.
    static let failure = "the column cannot hold the result"

    /// Registers the functions that need no schema on a connection.
    static func register(on connection: OpaquePointer?) -> Int32 {
        let code = SQLFunction.register(within, parameters: 3, on: connection) {
            context, _, values in
            ColumnCheck.answer(context, values)
        }
        guard code == SQLITE_OK else { return code }
        return SQLFunction.register(single, parameters: 1, on: connection) { context, _, values in
            guard let value = values?[0], sqlite3_value_type(value) != SQLITE_NULL else {
                return sqlite3_result_null(context)
            }
            sqlite3_result_double(context, Double(Float(sqlite3_value_double(value))))
        }
    }

    private static func answer(
        _ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?
    ) {
        guard let values else { return sqlite3_result_null(context) }
        let (value, smallest, largest) = (values[0], values[1], values[2])
        switch (sqlite3_value_type(value), sqlite3_value_type(smallest)) {
        case (SQLITE_NULL, _): sqlite3_result_null(context)
        case (SQLITE_INTEGER, SQLITE_INTEGER):
            let number = sqlite3_value_int64(value)
            guard number >= sqlite3_value_int64(smallest), number <= sqlite3_value_int64(largest)
            else { return fail(context) }
            sqlite3_result_int64(context, number)
        // A sum beyond 64 bits is a floating point number.
        case (_, SQLITE_INTEGER): fail(context)
        default:
            let number = sqlite3_value_double(value)
            guard number >= sqlite3_value_double(smallest), number <= sqlite3_value_double(largest)
            else { return fail(context) }
            sqlite3_result_double(context, number)
        }
    }

    private static func fail(_ context: OpaquePointer?) {
        sqlite3_result_error(context, failure, -1)
    }
}

extension ColumnCheck {
    /// The columns of a store, for functions that SQLite calls with a pointer to them.
    private final class Columns: Sendable {
        let entities: [[ColumnSchema]]
        init(_ schema: StoreSchema) { entities = schema.entities.map(\.columns) }
    }

    /// Registers the function that asks the types of a schema's columns.
    static func register(on connection: OpaquePointer?, for schema: StoreSchema) -> Int32 {
        let columns = Unmanaged.passRetained(Columns(schema))
        // SQLite releases the columns with the connection, or at once if the registration
        // fails.
        return sqlite3_create_function_v2(
            connection, readable, 3, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
            columns.toOpaque(),
            { context, _, values in ColumnCheck.answerReadable(context, values) }, nil, nil,
            { columns in
                if let columns { Unmanaged<Columns>.fromOpaque(columns).release() }
            })
    }

    private static func answerReadable(
        _ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?
    ) {
        guard let context, let values, let known = sqlite3_user_data(context),
            sqlite3_value_type(values[0]) != SQLITE_NULL
        else {
            if let context { sqlite3_result_null(context) }
            return
        }
        let columns = Unmanaged<Columns>.fromOpaque(known).takeUnretainedValue()
        let column = columns.entities[Int(sqlite3_value_int64(values[1]))][
            Int(sqlite3_value_int64(values[2]))]
        let isReal = sqlite3_value_type(values[0]) == SQLITE_FLOAT
        // Reading it as an integer would truncate a sum beyond 64 bits.
        guard let value = values[0], !(isReal && column.storage == .integer) else {
            return fail(context)
        }
        let row = RowReader(statement: value, functions: SQLiteFunctions.arguments.pointer)
        do {
            try column.rebound(row, at: 0).bind(
                to: ParameterWriter(
                    statement: context, functions: SQLiteFunctions.results.pointer), at: 0)
        } catch {
            fail(context)
        }
    }
}
