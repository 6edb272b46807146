import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension IncomingResponse {
    /// Whether another attempt may help, by the status and `Retry-After`.
    func retryAdvice(now: Date) -> DataRequestError.Retry {
        guard [408, 425, 429, 500, 502, 503, 504].contains(status.code) else { return .no }
        guard let text = headers[.retryAfter] else { return .later }
        if let seconds = Int(text) { return seconds < 0 ? .later : .after(.seconds(seconds)) }
        guard let date = HTTPDate.parse(text) else { return .later }
        return .after(.seconds(max(0, date.timeIntervalSince(now).rounded(.up))))
    }
}

/// Dates of headers, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The date of a text in the preferred format; nil for others, which nobody sends any more.
    static func parse(_ text: String) -> Date? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let day = Int(words[1]),
            let month = months.firstIndex(of: String(words[2])), let year = Int(words[3]),
            (1...31).contains(day), (1601...9999).contains(year)
        else { return nil }
        let time = words[4].split(separator: ":").compactMap { Int($0) }
        guard time.count == 3, (0..<24).contains(time[0]), (0..<60).contains(time[1]),
            (0..<61).contains(time[2])
        else { return nil }
        // Days since 1970 of a date in the Gregorian calendar, whose years begin in March here.
        let shifted = month < 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 10) % 12) + 2) / 5 + day - 1
        let era = shifted / 400
        let yearOfEra = shifted % 400
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let seconds = (days - 719_468) * 86_400 + time[0] * 3_600 + time[1] * 60 + time[2]
        return Date(timeIntervalSince1970: Double(seconds))
    }
}
