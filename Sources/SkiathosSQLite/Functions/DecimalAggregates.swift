import GRDBSQLite
import SkiathosPlatformFoundation

/// Sums and means of decimal numbers that are kept as text.
enum DecimalAggregates {
    /// The name of the SQL function for the sum, which is 0 without values.
    static let sum = "skiathos_decimal_total"
    /// The name of the SQL function for the mean.
    static let average = "skiathos_decimal_average"

    /// The state of one group.
    ///
    /// SQLite keeps a pointer to it for each group, and calls only on the connection's queue.
    private final class Progress {
        var total = Decimal()
        var count = 0
        var hasFailed = false
    }

    /// Registers the functions on a connection.
    static func register(on connection: OpaquePointer?) -> Int32 {
        let code = register(
            sum, on: connection,
            current: { DecimalAggregates.answerSum($0, DecimalAggregates.known($0)) },
            end: { DecimalAggregates.answerSum($0, DecimalAggregates.end($0)) })
        guard code == SQLITE_OK else { return code }
        return register(
            average, on: connection,
            current: { DecimalAggregates.answerMean($0, DecimalAggregates.known($0)) },
            end: { DecimalAggregates.answerMean($0, DecimalAggregates.end($0)) })
    }

    /// Registers a function that serves as an aggregate and over a window
    /// (sqlite.org/windowfunctions.html, section 7), where `current` answers for each row.
    private static func register(
        _ name: String, on connection: OpaquePointer?,
        current: @escaping @convention(c) (OpaquePointer?) -> Void,
        end: @escaping @convention(c) (OpaquePointer?) -> Void
    ) -> Int32 {
        sqlite3_create_window_function(
            connection, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil,
            { context, _, values in DecimalAggregates.add(values?[0], context) }, end, current,
            { context, _, values in DecimalAggregates.remove(values?[0], context) }, nil)
    }

    private static func answerSum(_ context: OpaquePointer?, _ progress: Progress?) {
        answer(context, progress) { $0.total }
    }

    private static func answerMean(_ context: OpaquePointer?, _ progress: Progress?) {
        guard let progress, progress.count > 0 || progress.hasFailed else {
            return sqlite3_result_null(context)
        }
        answer(context, progress) { $0.total / Decimal($0.count) }
    }

    private static func add(_ value: OpaquePointer?, _ context: OpaquePointer?) {
        guard sqlite3_value_type(value) != SQLITE_NULL, let progress = progress(context) else {
            return
        }
        guard let number = DecimalArithmetic.decimal(value) else {
            progress.hasFailed = true
            return
        }
        progress.total += number
        progress.count += 1
    }

    /// Removes a value that has left the window.
    private static func remove(_ value: OpaquePointer?, _ context: OpaquePointer?) {
        guard sqlite3_value_type(value) != SQLITE_NULL, let progress = known(context),
            let number = DecimalArithmetic.decimal(value)
        else { return }
        progress.total -= number
        progress.count -= 1
    }

    /// The state of the current group, if it has a value.
    private static func known(_ context: OpaquePointer?) -> Progress? {
        guard let slot = slot(context, size: 0), let known = slot.pointee else { return nil }
        return Unmanaged<Progress>.fromOpaque(known).takeUnretainedValue()
    }

    /// The state of the current group, which is made with the first value.
    private static func progress(_ context: OpaquePointer?) -> Progress? {
        guard let slot = slot(context, size: MemoryLayout<UnsafeRawPointer?>.size) else {
            sqlite3_result_error_nomem(context)
            return nil
        }
        if let known = slot.pointee {
            return Unmanaged<Progress>.fromOpaque(known).takeUnretainedValue()
        }
        let fresh = Progress()
        slot.pointee = UnsafeRawPointer(Unmanaged.passRetained(fresh).toOpaque())
        return fresh
    }

    /// Releases the state; called once for each group, also when the statement was
    /// interrupted.
    private static func end(_ context: OpaquePointer?) -> Progress? {
        guard let slot = slot(context, size: 0), let known = slot.pointee else { return nil }
        slot.pointee = nil
        return Unmanaged<Progress>.fromOpaque(known).takeRetainedValue()
    }

    private static func slot(
        _ context: OpaquePointer?, size: Int
    ) -> UnsafeMutablePointer<UnsafeRawPointer?>? {
        sqlite3_aggregate_context(context, Int32(size))?
            .assumingMemoryBound(to: UnsafeRawPointer?.self)
    }

    private static func answer(
        _ context: OpaquePointer?, _ progress: Progress?, _ result: (Progress) -> Decimal
    ) {
        guard let progress else { return SQLFunction.setText("0", of: context) }
        guard !progress.hasFailed else {
            return sqlite3_result_error(context, DecimalArithmetic.failure, -1)
        }
        DecimalArithmetic.answer(context, result(progress))
    }
}
