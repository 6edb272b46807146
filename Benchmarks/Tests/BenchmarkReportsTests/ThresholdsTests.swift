import BenchmarkReports
import Foundation
import Testing

@Suite struct ThresholdsTests {
    private let thresholds = Thresholds(entries: [
        .init(name: "decode", expected: 1_000, margin: 0.03),
        .init(name: "W3", expected: 0.5, margin: 1),
    ])

    private func verdicts(_ found: [(name: String, value: Double)]) -> [Thresholds.Verdict] {
        thresholds.compare(found).map(\.verdict)
    }

    @Test func `a figure fails when it is above its own margin`() {
        #expect(verdicts([("decode", 1_030), ("W3", 1)]) == [.passed, .passed])
        #expect(verdicts([("decode", 1_031), ("W3", 0.4)]) == [.worse, .passed])
        #expect(verdicts([("decode", 900), ("W3", 1.1)]) == [.better, .worse])
    }

    @Test func `a recorded figure that is not measured fails, a new one does not`() {
        let findings = thresholds.compare([("decode", 1_000), ("read", 5)])
        #expect(findings.map(\.verdict) == [.passed, .missing, .new])
        #expect(findings.map(\.verdict.isFailure) == [false, true, false])
    }

    @Test func `the table says what was expected and what was found`() {
        let text = thresholds.compare([("decode", 1_500), ("W3", 0.5)]).table.aligned
        #expect(text.contains("WORSE"))
        for number in ["1,000", "1,030", "1,500", "50.0 %"] { #expect(text.contains(number)) }
    }

    @Test func `recording takes new figures and keeps margins that were chosen`() throws {
        let recorded = thresholds.recording([("decode", 800, 0.5), ("read", 5, 0.2)])
        #expect(
            recorded.entries == [
                .init(name: "decode", expected: 800, margin: 0.03),
                .init(name: "read", expected: 5, margin: 0.2),
            ])
        let some = thresholds.recording([("decode", 800, 0.5)], keepingOthers: true)
        #expect(
            some.entries == [
                .init(name: "decode", expected: 800, margin: 0.03),
                .init(name: "W3", expected: 0.5, margin: 1),
            ])
        let data = try JSONEncoder().encode(recorded)
        let decoded = try JSONDecoder().decode(Thresholds.self, from: data)
        #expect(decoded.entries == recorded.entries)
    }
}
