import BenchmarkReports
import Testing

@Suite struct StatisticsTests {
    @Test func `the median is the value in the middle, or between the two there`() {
        #expect(Statistics.median([3, 1, 2]) == 2)
        #expect(Statistics.median([4, 1, 3, 2]) == 2.5)
        #expect(Statistics.median([7]) == 7)
        #expect(Statistics.median([]) == nil)
    }

    @Test func `quantiles lie between the smallest and the largest value`() {
        let values = [1.0, 2, 3, 4, 5]
        #expect(Statistics.quantile(values, 0.25) == 2)
        #expect(Statistics.quantile(values, 1) == 5)
        #expect(Statistics.quantile(values, -1) == 1)
        #expect(Statistics.quantile([1, 2], 0.25) == 1.25)
    }
}
