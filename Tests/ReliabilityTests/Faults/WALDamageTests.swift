import ReliabilityKit
import Testing

/// Damage of the WAL between two lives of a store.
@Suite(.serialized, .timeLimit(.minutes(30))) struct WALDamageTests {
    @Test func `opening reports what a damaged WAL has lost, and nothing else`() async throws {
        let seed = UInt64.random(in: .min ... .max)
        var run = WALDamageRun(seed: seed)
        run.stores = Load.damagedStores
        let result = try await run.run()
        for problem in result.problems.prefix(20) { Issue.record("\(problem), seed \(seed)") }
        // Below this load it would have shown nothing.
        #expect(result.mutants >= Load.damagedStores * 20)
        #expect(result.refused >= Load.damagedStores * 5)
        #expect(result.accepted >= Load.damagedStores)
    }
}
