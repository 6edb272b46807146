import ReliabilityKit
import Skiathos
import SkiathosLocks
import SkiathosStore
import Synchronization
import TestSupport
import Testing

@Suite(.generousTimeLimit) struct LiveRunTests {
    @Test(.seeded) func `observations follow random histories`() async throws {
        var run = LiveRun(seed: Seed.current)
        run.histories = Load.liveHistories
        let result = try await run.run()
        #expect(result.problems == [])
        #expect(result.histories == run.histories)
        // Otherwise there would be little to observe.
        #expect(result.commits > run.histories * run.writes / 2, "\(result)")
    }
}
