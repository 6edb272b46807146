import GRDBSQLite

/// Sums and means of floating point numbers, which are an error where they are not a number.
///
/// SQLite's own aggregates return NULL then, as the mean of no values is.
enum RealAggregates {
    /// The name of the SQL function that gets a sum.
    static let number = "skiathos_number"
    /// The name of the SQL function for the mean, an aggregate.
    static let average = "skiathos_average"

    /// The state of one group, in the memory that SQLite keeps for it.
    private struct Progress {
        var total: Double
        /// The part that was lost by rounding so far, after Neumaier.
        var lost: Double
        var count: Int64

        mutating func add(_ value: Double) {
            let sum = total + value
            lost += abs(total) >= abs(value) ? total - sum + value : value - sum + total
            total = sum
        }

        var mean: Double { (lost.isFinite ? total + lost : total) / Double(count) }
    }

    /// Registers the functions on a connection.
    static func register(on connection: OpaquePointer?) -> Int32 {
        let code = SQLFunction.register(number, parameters: 1, on: connection) {
            context, _, values in
            guard sqlite3_value_type(values?[0]) != SQLITE_NULL else {
                return sqlite3_result_error(context, RealArithmetic.failure, -1)
            }
            sqlite3_result_value(context, values?[0])
        }
        guard code == SQLITE_OK else { return code }
        return sqlite3_create_window_function(
            connection, average, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil,
            { context, _, values in RealAggregates.count(values?[0], 1, context) },
            { RealAggregates.answer($0) }, { RealAggregates.answer($0) },
            { context, _, values in RealAggregates.count(values?[0], -1, context) }, nil)
    }

    /// Adds a value, or removes one that has left the window.
    private static func count(
        _ value: OpaquePointer?, _ change: Int64, _ context: OpaquePointer?
    ) {
        guard sqlite3_value_type(value) != SQLITE_NULL else { return }
        guard let progress = progress(context, MemoryLayout<Progress>.size) else {
            return sqlite3_result_error_nomem(context)
        }
        progress.pointee.add(sqlite3_value_double(value) * Double(change))
        progress.pointee.count += change
    }

    private static func answer(_ context: OpaquePointer?) {
        guard let progress = progress(context, 0), progress.pointee.count > 0 else {
            return sqlite3_result_null(context)
        }
        let mean = progress.pointee.mean
        guard !mean.isNaN else {
            return sqlite3_result_error(context, RealArithmetic.failure, -1)
        }
        sqlite3_result_double(context, mean)
    }

    /// The state of the current group, all zeros at first.
    private static func progress(
        _ context: OpaquePointer?, _ size: Int
    ) -> UnsafeMutablePointer<Progress>? {
        sqlite3_aggregate_context(context, Int32(size))?.assumingMemoryBound(to: Progress.self)
    }
}
