import BenchmarkReports
import Testing

@Suite struct StatisticsTests {
    @Test func `the median is the value in the middle, or between the two there`() {
        #expect(Statistics.median([3, 1, 2]) == 2)
        #expect(Statistics.median([4, 1, 3, 2]) == 2.5)
        #expect(Statistics.median([]) == nil)
    }
}
