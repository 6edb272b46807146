import ReliabilityKit
import Testing

/// The disk fails at every operation of a store's life.
@Suite(.serialized, .timeLimit(.minutes(30))) struct FaultTests {
    @Test func `whatever fails, everybody is told the truth, and all goes on when the disk does`()
        async throws
    {
        let result = try await FaultSweep(limit: Load.faultsOfAKind).run()
        for problem in result.problems.prefix(20) { Issue.record("\(problem)") }
        // Below this load it would have shown nothing.
        #expect(result.faults >= Load.faultsOfAKind * 25)
        #expect(result.poisonings >= Load.faultsOfAKind)
        #expect(result.refusals >= Load.faultsOfAKind)
    }
}
