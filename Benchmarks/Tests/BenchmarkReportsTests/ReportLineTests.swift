import BenchmarkReports
import Testing

@Suite struct ReportLineTests {
    @Test func `a ratio is the median of the ratios of each round, not of the times`() {
        var line = ReportLine(id: "R1", title: "", section: .reads, unit: "row")
        line.add([1, 2])
        line.add([10, 10])
        line.add([100, 50])
        #expect(line.ratio(of: 1) == 1)
        #expect(line.seconds(of: 1) == 10)
        #expect(line.spread(of: 1) == 0.75...1.5)
        #expect(line.shortestRatio(of: 1) == 2)
    }

    @Test func `a ratio of throughput is the other way round`() {
        var line = ReportLine(
            id: "M1 reads", title: "", section: .mixed, unit: "read", kind: .throughput)
        line.add([4, 1])
        #expect(line.ratio(of: 1) == 4)
    }

    @Test func `a contestant that lacks a workload has no ratio`() {
        var line = ReportLine(id: "R1w", title: "", section: .reads, unit: "row")
        line.add([1, nil, 3])
        #expect(line.ratio(of: 1) == nil)
        #expect(line.ratio(of: 2) == 3)
    }

    @Test func `a line can be relative to each contestant's own time`() {
        var line = ReportLine(
            id: "R2a/R2b", title: "", section: .reads, unit: "read", kind: .ownTime)
        line.add([4, 3], relativeTo: [2, 1])
        #expect(line.ratio(of: 0) == 2)
        #expect(line.ratio(of: 1) == 3)
    }
}
