import Foundation
package import TestTools

/// Random values of few kinds, so that many of them are the same.
package struct RandomValues: Sendable {
    package var random: SeededNumbers

    package init(seed: UInt64) { random = SeededNumbers(seed: seed) }

    package mutating func below(_ limit: Int) -> Int { random.below(limit) }

    package mutating func happens(_ percent: Int) -> Bool { random.happens(percent) }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[random.below(elements.count)]
    }

    mutating func optional<Value>(_ value: (inout Self) -> Value) -> Value? {
        happens(30) ? nil : value(&self)
    }

    mutating func id(_ count: Int) -> Int64 { Int64(below(count) + 1) }
    mutating func number() -> Int { below(13) - 4 }
    mutating func weight() -> Double { Double(below(17) - 6) / 4 }
    mutating func text() -> String { pick(["", "a", "A", "ab", "b", "ba", "\u{e9}", "z"]) }
    mutating func price() -> Decimal { pick(Self.prices) }
    mutating func flag() -> Bool { happens(50) }

    mutating func date() -> Date {
        Date(timeIntervalSinceReferenceDate: Double(below(9) - 4) * 40_000_000 + pick([0, 0, 0.5]))
    }

    private static let prices = ["0", "-1.5", "0.1", "10", "9.99", "9", "2.5", "100.25"]
        .map { Decimal(string: $0) ?? 0 }
}
