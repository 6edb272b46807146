import BenchmarkReports
import Testing

@Suite struct FormatTests {
    @Test(arguments: [
        (0.0123, "0.012"), (0.5, "0.50"), (1.049, "1.05"), (12.34, "12.3"), (123.4, "123"),
        (9.996, "10.0"), (0, "0.000"),
    ])
    func `ratios have three digits that count`(value: Double, text: String) {
        #expect(Format.ratio(value) == text)
    }

    @Test func `times have the unit that suits them`() {
        #expect(Format.seconds(1.5) == "1.50 s")
        #expect(Format.seconds(0.0025) == "2.50 ms")
        #expect(Format.seconds(2.5e-6) == "2.50 µs")
        #expect(Format.seconds(25e-9) == "25.0 ns")
    }

    @Test func `numbers are grouped by thousands`() {
        #expect(Format.count(1_234_567) == "1,234,567")
        #expect(Format.count(-1_000) == "-1,000")
        #expect(Format.count(999) == "999")
        #expect(Format.fixed(-0.26, 1) == "-0.3")
        #expect(Format.rate(123_456) == "123k/s")
    }

    @Test func `a target is met on its right side`() {
        #expect(Target.atMost(1.05).isMet(by: 1))
        #expect(!Target.atMost(1.05).isMet(by: 1.06))
        #expect(Target.atLeast(3).isMet(by: 4))
        #expect(Target.atLeast(3).verdict(on: 2) == "≥ 3.00 MISSED")
        #expect(Target.atMost(3).verdict(on: nil) == "≤ 3.00")
    }
}
