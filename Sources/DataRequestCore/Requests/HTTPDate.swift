#if RequestCore
import SkiathosPlatformFoundation

/// The dates of HTTP (RFC 9110, 5.6.7): the current form, and the two obsolete ones.
///
/// ```
/// Sun, 06 Nov 1994 08:49:37 GMT
/// Sunday, 06-Nov-94 08:49:37 GMT
/// Sun Nov  6 08:49:37 1994
/// ```
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The date, or nil if it is in another form or no date of the calendar.
    ///
    /// - Parameter now: The date that years of two digits are resolved by.
    static func parse(_ text: String, now: Date = Date()) -> Date? {
        let parts = text.parts(at: " ").filter { !$0.isEmpty }
        switch parts.count {
        case 6 where parts[0].ends(with: ",") && parts[5].equals("GMT"):
            guard parts[3].utf8.count == 4 else { return nil }
            return date(parts[1], parts[2], parts[3].digits, parts[4])
        case 4 where parts[0].ends(with: ",") && parts[3].equals("GMT"):
            let day = parts[1].parts(at: "-")
            guard day.count == 3, day[2].utf8.count == 2 else { return nil }
            return date(day[0], day[1], day[2].digits.map { year($0, now: now) }, parts[2])
        case 5:
            guard parts[4].utf8.count == 4 else { return nil }
            return date(parts[2], parts[1], parts[4].digits, parts[3])
        default: return nil
        }
    }

    /// The year that two digits stand for: the last one that is not more than 50 years ahead.
    private static func year(_ digits: Int, now: Date) -> Int {
        let present = 1970 + Int((now.timeIntervalSince1970 / 31_556_952).rounded(.down))
        let year = present - present % 100 + digits
        if year > present + 50 { return year - 100 }
        return year + 100 <= present + 50 ? year + 100 : year
    }

    private static func date(
        _ day: String, _ month: String, _ year: Int?, _ time: String
    ) -> Date? {
        let time = time.parts(at: ":").compactMap(\.digits)
        guard let day = day.digits, (1...31).contains(day), let year, year >= 1600,
            let month = months.firstIndex(where: { $0.equals(month) }), time.count == 3,
            time[0] < 24, time[1] < 60, time[2] <= 60
        else { return nil }
        let days = daysSince1970(year: year, month: month + 1, day: day)
        return Date(
            timeIntervalSince1970: Double(
                days * 86_400 + time[0] * 3_600 + time[1] * 60 + time[2]))
    }

    /// Days of the Gregorian calendar, with years that begin in March so that the leap day is last.
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
#endif
