import ReliabilityKit
import Testing

struct HistoryTests {
    /// To replay the operations of a history that failed, name its seed:
    /// `HISTORY_SEED=7 swift test --filter HistoryTests`.
    ///
    /// They are run many times then, since their interleaving is the machine's.
    @Test func `random concurrent histories are strictly serialisable`() async {
        let series = await HistorySeries.run()
        #expect(series.failures.isEmpty, "\(series)")
        #expect(series.histories == Load.histories)
        // Operations that follow each other would show nothing.
        #expect(series.overlapping * 4 > series.awaited, "\(series)")
    }
}
