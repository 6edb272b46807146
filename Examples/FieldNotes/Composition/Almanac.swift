#if Macros
import Foundation

/// Says what day it is.
protocol Almanac: Sendable {
    var today: String { get }
}

/// The day of the machine's clock, in its time zone.
struct SystemAlmanac: Almanac {
    var today: String {
        Date.now.formatted(Date.ISO8601FormatStyle(timeZone: .current).year().month().day())
    }
}
#endif
