import GRDBSQLite

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Adds decimal numbers that are kept as text, without going through binary fractions.
enum DecimalSum {
    /// The name of the SQL function.
    static let function = "skiathos_decimal_sum"

    /// What the function says when there is no sum.
    static let failure = "the decimal sum is out of range, or an operand is not a number"

    /// Makes the function known to a connection.
    static func register(on connection: OpaquePointer?) -> Int32 {
        SQLFunction.register(function, parameters: 2, on: connection) { context, _, values in
            DecimalSum.answer(context, values?[0], values?[1])
        }
    }

    private static func answer(
        _ context: OpaquePointer?, _ left: OpaquePointer?, _ right: OpaquePointer?
    ) {
        guard let left = SQLFunction.text(left), let right = SQLFunction.text(right) else {
            sqlite3_result_null(context)
            return
        }
        guard let left = Decimal(string: left), let right = Decimal(string: right),
            !(left + right).isNaN
        else {
            sqlite3_result_error(context, failure, -1)
            return
        }
        SQLFunction.setText((left + right).description, of: context)
    }
}
