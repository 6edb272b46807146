#if RequestCore
package import SkiathosPlatformFoundation

/// The header `Retry-After` (RFC 9110, 10.2.3): seconds, or a date.
package enum RetryAfter {
    /// How long to wait; nil if there is no such header or it cannot be read.
    package static func duration(_ value: String?, now: Date) -> Duration? {
        guard let value, !value.isEmpty else { return nil }
        if value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            // Longer numbers are capped: no caller waits that long.
            return .seconds(value.utf8.count > 9 ? 999_999_999 : Int64(value) ?? 0)
        }
        guard let date = HTTPDate.parse(value, now: now) else { return nil }
        return .seconds(max(0, date.timeIntervalSince(now).rounded(.up)))
    }
}
#endif
