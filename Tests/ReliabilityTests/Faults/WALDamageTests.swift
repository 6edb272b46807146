import ReliabilityKit
import TestSupport
import Testing

/// Damage of the WAL between two lives of a store.
@Suite(.serialized, .generousTimeLimit) struct WALDamageTests {
    @Test(.seeded) func `opening reports what a damaged WAL has lost, and nothing else`()
        async throws
    {
        var run = WALDamageRun(seed: Seed.current)
        run.stores = Load.damagedStores
        let result = try await run.run()
        for problem in result.problems.prefix(20) { Issue.record("\(problem)") }
        // Below this load it would have shown nothing.
        #expect(result.mutants >= Load.damagedStores * 20)
        #expect(result.refused >= Load.damagedStores * 5)
        #expect(result.accepted >= Load.damagedStores)
    }
}
