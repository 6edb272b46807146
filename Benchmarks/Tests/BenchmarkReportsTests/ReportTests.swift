import BenchmarkReports
import Testing

@Suite struct ReportTests {
    private let report: Report = {
        var reading = ReportLine(
            id: "R1", title: "fetch <all> rows", section: .reads, unit: "row")
        reading.add([2e-6, 8e-6, 1e-6])
        var held = ReportLine(id: "R1wh", title: "held", section: .reads, unit: "row")
        held.add([2e-6, nil, 4e-6])
        var mixed = ReportLine(
            id: "M1 reads", title: "reads", section: .mixed, unit: "read", kind: .throughput)
        mixed.add([1e-5, 1e-4, 2.5e-6])
        return Report(
            conditions: [("rows", "100")], contestants: ["raw C", "GRDB", "Skiathos"],
            lines: [reading, held, mixed])
    }()

    @Test func `the table has ratios, absolute figures, and what is missing`() {
        let text = report.text(showsTargets: true)
        #expect(text.contains("rows: 100"))
        let lines = text.split(separator: "\n").map(String.init)
        let words = { (id: String) in
            lines.first { $0.hasPrefix(id + " ") }?.split(separator: " ").map(String.init)
        }
        #expect(
            words("R1")?.suffix(8) == [
                "2.00", "µs/row", "4.00", "0.50", "0.50–0.50", "≤", "1.05", "met",
            ])
        #expect(words("R1wh")?.contains("–") == true)
        #expect(words("R1wh")?.last == "MISSED")
        #expect(words("M1")?.suffix(5) == ["4.00", "4.00–4.00", "≥", "3.00", "met"])
        #expect(text.contains("100k/s"))
    }

    @Test func `the columns of the table are aligned`() {
        let table = report.table(showsTargets: false).aligned.split(separator: "\n")
        let rows = table.filter { $0.hasPrefix("R1") || $0.hasPrefix("M1") }
        #expect(rows.count == 3)
        #expect(Set(rows.map(\.count)).count == 1)
    }

    @Test func `the document has a table for each section, and the picture`() {
        let text = report.markdown(plot: "Results.svg")
        #expect(text.contains("](Results.svg)"))
        #expect(text.contains("## Reads\n\n|"))
        #expect(text.contains("## \(ReportLine.Section.mixed.rawValue)\n\n|"))
        #expect(!text.contains("## Writes"))
    }

    @Test func `the picture has a bar for each ratio, and no bare sign of markup`() {
        let svg = BarPlot(report).svg
        for line in report.lines {
            for contestant in ["GRDB", "Skiathos"] {
                let isThere = svg.contains("<title>\(line.id) \(contestant)</title>")
                #expect(isThere == (line.id != "R1wh" || contestant == "Skiathos"))
            }
        }
        #expect(svg.contains("fetch &lt;all&gt; rows"))
        #expect(svg.contains(">0.50</text>"))
        #expect(svg.hasSuffix("</svg>\n"))
    }
}
