#if Macros
import Foundation

/// Says what day it is.
package protocol Almanac: Sendable {
    var today: String { get }
}

/// The day of the machine's clock, in its time zone.
package struct SystemAlmanac: Almanac {
    package var today: String {
        Date.now.formatted(Date.ISO8601FormatStyle(timeZone: .current).year().month().day())
    }
}
#endif
