/// Numbers as people read them.
package enum Format {
    /// A number with three digits that count, but no more than four behind the point.
    package static func ratio(_ value: Double) -> String {
        guard value.isFinite else { return "?" }
        switch abs(value) {
        case 99.5...: return fixed(value, 0)
        case 9.95...: return fixed(value, 1)
        case 0.0995...: return fixed(value, 2)
        default: return fixed(value, 3)
        }
    }

    /// A time with its unit, from nanoseconds to seconds.
    package static func seconds(_ value: Double) -> String {
        switch value {
        case 1...: "\(ratio(value)) s"
        case 1e-3...: "\(ratio(value * 1e3)) ms"
        case 1e-6...: "\(ratio(value * 1e6)) µs"
        default: "\(ratio(value * 1e9)) ns"
        }
    }

    /// How many times a second something happens.
    package static func rate(_ perSecond: Double) -> String {
        perSecond >= 1e4
            ? "\(ratio(perSecond / 1e3))k/s" : "\(fixed(perSecond, 0))/s"
    }

    /// A whole number in groups of three digits.
    package static func count(_ value: Int) -> String {
        let digits = String(value.magnitude)
        var text = ""
        for (position, digit) in digits.enumerated() {
            if position > 0, (digits.count - position) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return value < 0 ? "-\(text)" : text
    }

    /// A number with so many digits behind the point.
    package static func fixed(_ value: Double, _ places: Int) -> String {
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        let scaled = (abs(value) * scale).rounded()
        guard scaled < 1e15 else { return "\(value)" }
        let whole = Int(scaled) / Int(scale)
        let sign = value < 0 && scaled > 0 ? "-" : ""
        guard places > 0 else { return "\(sign)\(whole)" }
        let rest = String(Int(scaled) % Int(scale))
        return "\(sign)\(whole)." + String(repeating: "0", count: places - rest.count) + rest
    }
}
