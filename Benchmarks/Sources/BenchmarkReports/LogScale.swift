/// A logarithmic scale from one power of two to another.
struct LogScale {
    /// What the scale covers.
    let range: ClosedRange<Double>
    private let ends: ClosedRange<Double>

    /// Makes the smallest scale that has all values on it and some room for their labels.
    init(covering values: [Double]) {
        let logs = values.filter { $0 > 0 && $0.isFinite }.map(Self.log)
        let low = ((logs.min() ?? 0) - 0.6).rounded(.down)
        let high = ((logs.max() ?? 0) + 0.6).rounded(.up)
        ends = low...high
        range = Self.power(low)...Self.power(high)
    }

    /// Where a value is, from 0 at the left end to 1 at the right.
    func position(of value: Double) -> Double {
        (Self.log(value) - ends.lowerBound) / (ends.upperBound - ends.lowerBound)
    }

    /// Round values on the scale, not too many of them.
    var ticks: [Double] {
        let inside = Self.decades.flatMap { [$0, 2 * $0, 5 * $0] }.filter(range.contains)
        return inside.count > 12 ? Self.decades.filter(range.contains) : inside
    }

    private static let decades = [0.001, 0.01, 0.1, 1, 10, 100, 1e3, 1e4, 1e5, 1e6]

    static func label(_ value: Double) -> String {
        value >= 1 ? Format.fixed(value, 0) : "\(value)"
    }

    /// The logarithm to the base 2, without the need of a mathematics library.
    private static func log(_ value: Double) -> Double {
        // The binary exponent, and the logarithm of the significand by squaring it bit for bit.
        var result = Double(value.exponent)
        var rest = value.significand
        var bit = 0.5
        for _ in 0..<24 {
            rest *= rest
            if rest >= 2 {
                rest /= 2
                result += bit
            }
            bit /= 2
        }
        return result
    }

    private static func power(_ exponent: Double) -> Double {
        Double(sign: .plus, exponent: Int(exponent), significand: 1)
    }
}
