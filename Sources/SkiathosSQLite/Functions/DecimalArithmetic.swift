import GRDBSQLite
import SkiathosPlatformFoundation
import SkiathosStore

/// Computes with decimal numbers that are kept as text, without going through binary fractions.
enum DecimalArithmetic {
    /// The message when there is no result.
    static let failure = "the decimal result is out of range, or an operand is not a number"

    /// The name of the SQL function for an operator.
    ///
    /// There is none for remainders, which are not supported for decimal numbers.
    static func function(_ operation: StoreExpression.Operator) -> String? {
        switch operation {
        case .add: "skiathos_decimal_sum"
        case .subtract: "skiathos_decimal_difference"
        case .multiply: "skiathos_decimal_product"
        case .divide: "skiathos_decimal_quotient"
        case .remainder: nil
        }
    }

    /// Registers the functions on a connection.
    static func register(on connection: OpaquePointer?) -> Int32 {
        let bodies: [(StoreExpression.Operator, SQLFunction.Body)] = [
            (.add, { context, _, values in DecimalArithmetic.answer(context, values) { $0 + $1 } }),
            (
                .subtract,
                { context, _, values in DecimalArithmetic.answer(context, values) { $0 - $1 } }
            ),
            (
                .multiply,
                { context, _, values in
                    DecimalArithmetic.answer(context, values, DecimalArithmetic.product)
                }
            ),
            (
                .divide,
                { context, _, values in
                    DecimalArithmetic.answer(context, values) { $1 == 0 ? nil : $0 / $1 }
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

    /// The number that a text stands for, as a property would read it, or a number of raw SQL.
    static func decimal(_ value: OpaquePointer?) -> Decimal? {
        let type = sqlite3_value_type(value)
        guard let text = SQLFunction.text(value) else { return nil }
        // SQLite writes very large and small floating point numbers with exponents.
        let isNumber = type == SQLITE_INTEGER || type == SQLITE_FLOAT
        return isNumber ? Decimal(string: text) : Decimal(stored: text)
    }

    /// Answers with a number, or with the failure.
    static func answer(_ context: OpaquePointer?, _ result: Decimal) {
        guard !result.isNaN else { return sqlite3_result_error(context, failure, -1) }
        SQLFunction.setText(result.description, of: context)
    }

    /// The product, or not-a-number if it is too large or has too many decimals.
    ///
    /// Foundation's own operator traps where the exponent of a product lies below the smallest one.
    private static func product(_ left: Decimal, _ right: Decimal) -> Decimal {
        left.exponent + right.exponent < smallestExponent ? .nan : left * right
    }

    private static let smallestExponent = -128

    private static func answer(
        _ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?,
        _ operation: (Decimal, Decimal) -> Decimal?
    ) {
        guard let first = values?[0], let second = values?[1],
            sqlite3_value_type(first) != SQLITE_NULL, sqlite3_value_type(second) != SQLITE_NULL
        else { return sqlite3_result_null(context) }
        guard let left = decimal(first), let right = decimal(second) else {
            return sqlite3_result_error(context, failure, -1)
        }
        guard let result = operation(left, right) else { return sqlite3_result_null(context) }
        answer(context, result)
    }
}
