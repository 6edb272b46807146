import SkiathosStore
import TestSupport
import Testing

@Suite struct IntervalIndexTests {
    private static func bound(_ generator: inout SeededNumbers) -> ValueRange.Bound? {
        guard Int.random(in: 0..<5, using: &generator) > 0 else { return nil }
        return ValueRange.Bound(value(&generator), isInclusive: .random(using: &generator))
    }

    private static func value(_ generator: inout SeededNumbers) -> StoreValue {
        .integer(.random(in: 0..<40, using: &generator))
    }

    @Test(.seeded) func `an index finds the ranges that a search through all finds`() {
        var generator = SeededNumbers(seed: Seed.current)
        for _ in 0..<50 {
            var index = IntervalIndex<Int>()
            var all: [(element: Int, range: ValueRange, handle: IntervalIndex<Int>.Handle)] = []
            for element in 0..<200 {
                if !all.isEmpty, Int.random(in: 0..<3, using: &generator) == 0 {
                    let position = Int.random(in: all.indices, using: &generator)
                    index.remove(all.remove(at: position).handle)
                } else {
                    let range = ValueRange(
                        from: Self.bound(&generator), to: Self.bound(&generator))
                    all.append((element, range, index.insert(range, at: element)))
                }
                let value = Self.value(&generator)
                var found: [Int] = []
                index.allSatisfy(containing: value) { element in
                    found.append(element)
                    return true
                }
                let expected = all.filter { $0.range.contains(value) }.map(\.element)
                #expect(found.sorted() == expected.sorted())
                #expect(index.count == all.count)
            }
        }
    }

    @Test func `values of all storage classes are ordered as the store orders them`() {
        let values: [StoreValue] = [
            .null, .real(-.infinity), .integer(.min), .real(-1.5), .integer(-1), .integer(0),
            .real(0.5), .integer(9_007_199_254_740_993), .real(9_007_199_254_740_994),
            .integer(.max), .real(0x1p63), .real(.infinity), .text(""), .text("Z"), .text("a"),
            .text("\u{e9}"), .text("\u{10FFFF}"), .blob([]), .blob([0]), .blob([0, 0]), .blob([1]),
        ]
        for (left, first) in values.enumerated() {
            for (right, second) in values.enumerated() {
                let expected = left < right ? -1 : left == right ? 0 : 1
                #expect(first.order(second).signum() == expected, "\(first) \(second)")
            }
        }
        #expect(StoreValue.integer(2).order(.real(2)) == 0)
        #expect(StoreValue.real(-0.0).order(.integer(0)) == 0)
    }
}
