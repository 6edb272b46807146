/// A logarithmic scale from one power of two to another, with 1 on it.
struct LogScale {
    /// What the scale covers.
    let range: ClosedRange<Double>
    private let ends: ClosedRange<Double>

    /// Makes the smallest scale that has all values on it and some room for their labels.
    init(covering values: [Double]) {
        let logs = values.filter { $0 > 0 && $0.isFinite }.map(Self.log)
        let low = (min(logs.min() ?? 0, 0) - 0.6).rounded(.down)
        let high = (max(logs.max() ?? 0, 0) + 0.6).rounded(.up)
        ends = low...high
        range = Self.power(low)...Self.power(high)
    }

    /// Where a value is, from 0 at the left end to 1 at the right.
    func position(of value: Double) -> Double {
        (Self.log(value) - ends.lowerBound) / (ends.upperBound - ends.lowerBound)
    }

    /// Round values on the scale, not too many of them.
    var ticks: [Double] {
        let all = [
            0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200,
            500,
            1000,
        ]
        let inside = all.filter { range.contains($0) }
        guard inside.count > 12 else { return inside }
        let decades: Set = [0.001, 0.01, 0.1, 1, 10, 100, 1000]
        return inside.filter { decades.contains($0) }
    }

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
