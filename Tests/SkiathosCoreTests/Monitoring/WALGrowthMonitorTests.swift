import Testing

@testable import SkiathosCore

@Suite struct WALGrowthMonitorTests {
    @Test func `a warning is due when the limit is crossed and each time the WAL has doubled`() {
        var monitor = WALGrowthMonitor(limit: 100)
        let sizes = [50, 100, 101, 150, 202, 203, 400, 406, 407]
        let due = sizes.filter { size in
            monitor.record(size)
            return monitor.isDue(heldAt: size)
        }
        #expect(due == [101, 203, 407])
    }

    @Test func `a warning is due again after the WAL was below the limit`() {
        var monitor = WALGrowthMonitor(limit: 100)
        let due = [300, 500, 101, 200, 100, 110].filter { size in
            monitor.record(size)
            return monitor.isDue(heldAt: size)
        }
        #expect(due == [300, 110])
    }

    @Test func `the largest sizes of a WAL cause no overflow`() {
        var monitor = WALGrowthMonitor(limit: .max - 1)
        let due = (0..<3).map { _ in monitor.isDue(heldAt: .max) }
        #expect(due == [true, false, false])
    }
}
