import GRDBSQLite
import SkiathosStore

/// Parts of dates that are kept as seconds since the beginning of 2001 (UTC).
///
/// SQLite's own functions round to milliseconds, which moves the last instants of a year to the next.
enum DateParts {
    private static let secondsPerDay = 86_400
    /// The days from the beginning of 1970 to that of 2001.
    private static let daysBeforeReference = 11_323

    /// The name of the SQL function for a part.
    static func function(_ part: StoreFunction.DatePart) -> String { "skiathos_\(part.rawValue)" }

    /// Registers the functions on a connection.
    static func register(on connection: OpaquePointer?) -> Int32 {
        let bodies: [(StoreFunction.DatePart, SQLFunction.Body)] = [
            (
                .year,
                { context, _, values in
                    DateParts.answer(context, values) { DateParts.date(ofDay: $0).year }
                }
            ),
            (
                .month,
                { context, _, values in
                    DateParts.answer(context, values) { DateParts.date(ofDay: $0).month }
                }
            ),
            (
                .day,
                { context, _, values in
                    DateParts.answer(context, values) { DateParts.date(ofDay: $0).day }
                }
            ),
            (
                .weekday,
                { context, _, values in
                    // The first day of 1970 was a Thursday.
                    DateParts.answer(context, values) { DateParts.modulo($0.days + 4, 7) + 1 }
                }
            ),
            (
                .hour,
                { context, _, values in DateParts.answer(context, values) { $0.seconds / 3600 } }
            ),
            (
                .minute,
                { context, _, values in DateParts.answer(context, values) { $0.seconds / 60 % 60 } }
            ),
            (
                .second,
                { context, _, values in DateParts.answer(context, values) { $0.seconds % 60 } }
            ),
        ]
        for (part, body) in bodies {
            let code = SQLFunction.register(function(part), parameters: 1, on: connection, body)
            guard code == SQLITE_OK else { return code }
        }
        return SQLITE_OK
    }

    /// An instant as the number of its day since 1970 and the seconds since midnight.
    private typealias Instant = (days: Int, seconds: Int)

    private static func answer(
        _ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?,
        _ part: (Instant) -> Int
    ) {
        guard let value = values?[0], sqlite3_value_type(value) != SQLITE_NULL,
            let seconds = Int(exactly: sqlite3_value_double(value).rounded(.down))
        else { return sqlite3_result_null(context) }
        let ofDay = modulo(seconds, secondsPerDay)
        let days = (seconds - ofDay) / secondsPerDay + daysBeforeReference
        sqlite3_result_int64(context, Int64(part((days, ofDay))))
    }

    private static func modulo(_ number: Int, _ divisor: Int) -> Int {
        let remainder = number % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }

    /// The date of a day, by the algorithm `civil_from_days` of Howard Hinnant
    /// (howardhinnant.github.io/date_algorithms.html), in which years begin with March.
    private static func date(ofDay instant: Instant) -> (year: Int, month: Int, day: Int) {
        let shifted = instant.days + 719_468
        let ofEra = modulo(shifted, 146_097)
        let era = (shifted - ofEra) / 146_097
        let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let fromMarch = (5 * ofYear + 2) / 153
        let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
        let day = ofYear - (153 * fromMarch + 2) / 5 + 1
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}
