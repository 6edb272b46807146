#if Macros
import Foundation

/// One value of an answer, which knows how it is shown.
enum Cell: Sendable {
    case text(String)
    case number(Int)
    case money(Decimal)
    /// A part of a whole in percent.
    case share(Int, of: Int)
    /// Milliseconds as hours and minutes.
    case hours(Int)
    /// Milliseconds as minutes and seconds.
    case minutes(Int)
    case date(Date)
    case nothing

    /// The value as it is printed.
    var text: String {
        switch self {
        case .text(let text): text
        case .number(let number): "\(number)"
        case .money(let amount): Self.money(amount)
        case .share(let part, let whole): Self.share(part, whole)
        case .hours(let milliseconds): Self.pair(milliseconds / 60_000)
        case .minutes(let milliseconds): Self.pair(milliseconds / 1_000)
        case .date(let date): date.formatted(.iso8601.year().month().day())
        case .nothing: ""
        }
    }

    /// Whether it stands at the right of its column.
    var isNumber: Bool {
        switch self {
        case .text, .date: false
        default: true
        }
    }

    /// A number of sixtieths, as in 1:05.
    private static func pair(_ count: Int) -> String {
        "\(count / 60):" + padded("\(count % 60)", to: 2)
    }

    /// An amount with two decimals, rounded half away from zero.
    private static func money(_ amount: Decimal) -> String {
        var cents = amount.magnitude * 100
        var rounded = Decimal()
        NSDecimalRound(&rounded, &cents, 0, .plain)
        let digits = padded("\(rounded)", to: 3)
        return (amount < 0 ? "-" : "") + digits.dropLast(2) + "." + digits.suffix(2)
    }

    /// Percent with one decimal.
    private static func share(_ part: Int, _ whole: Int) -> String {
        guard whole > 0 else { return "" }
        let tenths = (part * 2_000 + whole) / (whole * 2)
        return "\(tenths / 10).\(tenths % 10) %"
    }

    private static func padded(_ digits: String, to width: Int) -> String {
        String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
#endif
