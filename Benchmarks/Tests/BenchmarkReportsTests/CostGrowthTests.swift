import BenchmarkReports
import Testing

@Suite struct CostGrowthTests {
    private func growth(_ units: [CostGrowth.Unit], _ lines: [(Int, [Double?])]) -> CostGrowth {
        var growth = CostGrowth("by rows", size: "rows", units: units)
        for (size, costs) in lines { growth.add(size: size, costs) }
        return growth
    }

    @Test func `a cost may grow with the depth of a B-tree, and no faster`() {
        let growth = growth(
            [.init("read", .logarithmic), .init("scan", .logarithmic)],
            [(1_000, [300, 300]), (10_000, [400, 3_000])])
        #expect(growth.growth(of: 0, at: 0) == nil)
        #expect(!growth.isTooFast(0, at: 1))
        #expect(growth.isTooFast(1, at: 1))
    }

    @Test func `a cost that must not grow has a margin of a twentieth`() {
        let growth = growth([.init("read", .none)], [(1, [100]), (10, [104]), (100, [115])])
        #expect(!growth.isTooFast(0, at: 1))
        #expect(growth.isTooFast(0, at: 2))
    }

    @Test func `each listener may cost as much as the unit itself`() {
        let growth = growth([.init("insert", .linear)], [(0, [100]), (1, [190]), (10, [4_000])])
        #expect(!growth.isTooFast(0, at: 1))
        #expect(growth.isTooFast(0, at: 2))
    }

    @Test func `what grows in raw C too is no growth of our own`() {
        let growth = growth(
            [.init("read", .logarithmic, peer: "raw C: read"), .init("raw C: read", .logarithmic)],
            [(1_000, [300, 200]), (10_000, [900, 600])])
        #expect(!growth.isTooFast(0, at: 1))
        #expect(growth.isTooFast(1, at: 1))
    }

    @Test func `the table has a line for each size, and marks what grows too fast`() {
        let growth = growth(
            [.init("read", .none), .init("query", .none)], [(1, [1_000, nil]), (10, [2_000, 5])])
        #expect(
            growth.table.markdown == """
                | rows | read | query |
                |---:|---:|---:|
                | 1 | 1,000 | – |
                | 10 | 2,000 ×2.00 FASTER | 5 |
                """)
    }
}
