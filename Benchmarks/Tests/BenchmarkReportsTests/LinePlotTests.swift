import BenchmarkReports
import Testing

@Suite struct LinePlotTests {
    private let svg = LinePlot(
        title: "Writes", subtitle: "each <alone>", numbers: [0, 10_000], unit: "observers",
        lines: [
            .init("median", microseconds: [20, 40]),
            .init("p99", microseconds: [100, 1_000], isCompanion: true),
        ]
    ).svg

    @Test func `the picture has a mark for each time, and no bare sign of markup`() {
        for label in ["median: 20.0 µs", "median: 40.0 µs", "p99: 100 µs", "p99: 1.00 ms"] {
            #expect(svg.contains("<title>\(label)</title>"))
        }
        #expect(svg.contains(">10,000</text>"))
        #expect(svg.contains("each &lt;alone&gt;"))
        #expect(svg.hasSuffix("</svg>\n"))
    }

    @Test func `a longer time stands above a shorter one, and later numbers to the right`() throws {
        let places = svg.matches(of: /<rect x="([0-9.]+)" y="([0-9.]+)" width="7"/)
            .compactMap { match in
                Double(match.1).flatMap { x in Double(match.2).map { (x: x, y: $0) } }
            }
        #expect(places.count == 4)
        let heights = places.map(\.y)
        #expect(heights == heights.sorted(by: >))
        #expect(places[0].x < places[1].x)
        #expect(places[0].x == places[2].x)
    }

    @Test func `the scale is labelled from the shortest to the longest time`() {
        let slow = LinePlot(
            title: "", subtitle: "", numbers: [1, 2], unit: "",
            lines: [.init("value", microseconds: [30, 80_000])]
        ).svg
        for label in [">100 µs<", ">1 ms<", ">10 ms<", ">100 ms<"] { #expect(slow.contains(label)) }
        #expect(!slow.contains(">1 µs<"))
        #expect(svg.contains(">20 µs<") && svg.contains(">1 ms<"))
    }
}
