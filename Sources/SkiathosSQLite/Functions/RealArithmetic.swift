import GRDBSQLite
import SkiathosStore

/// Arithmetic of floating point numbers for a column.
///
/// SQLite's own operators return NULL where the result is not a number, which an optional
/// column would take for `nil`.
enum RealArithmetic {
    /// The message when there is no result.
    static let failure = "the result is not a number"

    /// The name of the SQL function for an operator.
    static func function(_ operation: StoreExpression.Operator) -> String? {
        switch operation {
        case .add: "skiathos_real_sum"
        case .subtract: "skiathos_real_difference"
        case .multiply: "skiathos_real_product"
        case .divide: "skiathos_real_quotient"
        case .remainder: nil
        }
    }

    /// Registers the functions on a connection.
    static func register(on connection: OpaquePointer?) -> Int32 {
        let bodies: [(StoreExpression.Operator, SQLFunction.Body)] = [
            (.add, { context, _, values in RealArithmetic.answer(context, values) { $0 + $1 } }),
            (
                .subtract,
                { context, _, values in RealArithmetic.answer(context, values) { $0 - $1 } }
            ),
            (
                .multiply,
                { context, _, values in RealArithmetic.answer(context, values) { $0 * $1 } }
            ),
            (
                .divide,
                { context, _, values in
                    RealArithmetic.answer(context, values) { $1 == 0 ? nil : $0 / $1 }
                }
            ),
        ]
        for (operation, body) in bodies {
            guard let name = function(operation) else { continue }
            let code = SQLFunction.register(name, parameters: 2, on: connection, body)
            guard code == SQLITE_OK else { return code }
        }
        return SQLITE_OK
    }

    private static func answer(
        _ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?,
        _ operation: (Double, Double) -> Double?
    ) {
        guard let first = values?[0], let second = values?[1],
            sqlite3_value_type(first) != SQLITE_NULL, sqlite3_value_type(second) != SQLITE_NULL,
            let result = operation(sqlite3_value_double(first), sqlite3_value_double(second))
        else { return sqlite3_result_null(context) }
        guard !result.isNaN else { return sqlite3_result_error(context, failure, -1) }
        sqlite3_result_double(context, result)
    }
}
