import ReliabilityKit
import TestSupport
import Testing

struct HistoryTests {
    /// `HISTORY_SEED` repeats one of the histories that a failure has named.
    ///
    /// Its operations are run many times, since their interleaving is the machine's.
    @Test(.seeded, .generousTimeLimit)
    func `random concurrent histories are strictly serialisable`() async {
        let series = await HistorySeries.run()
        #expect(series.failures.isEmpty, "\(series)")
        #expect(series.histories == Load.histories)
        // Operations that follow each other would show nothing.
        #expect(series.overlapping * 4 > series.awaited, "\(series)")
    }
}
