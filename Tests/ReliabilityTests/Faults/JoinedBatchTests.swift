import ReliabilityKit
import TestSupport
import Testing

/// The disk fails while small writes join an open batch, most of them without a savepoint.
@Suite(.serialized, .generousTimeLimit) struct JoinedBatchTests {
    @Test
    func `a write that fails changes nothing, and its batch is committed or reported as lost`()
        async throws
    {
        let seed = UInt64.random(in: .min ... .max)
        let result = try await JoinedBatchSweep(limit: Load.faultsOfAKind, seed: seed).run()
        for problem in result.problems.prefix(20) { Issue.record("\(problem), seed \(seed)") }
        // Below this load it would have shown nothing.
        let least = min(Load.faultsOfAKind, 12)
        #expect(result.faults >= least * 10)
        #expect(result.lostBatches >= least * 6)
    }

    #if canImport(Glibc)
    @Test func `the same is true when memory runs out`() async throws {
        let limit = Load.faultsOfAKind * 10
        let seed = UInt64.random(in: .min ... .max)
        let result = try await JoinedBatchSweep(limit: limit, seed: seed).runInOwnProcess()
        for problem in result.problems.prefix(20) { Issue.record("\(problem), seed \(seed)") }
        #expect(result.faults >= limit)
    }
    #endif

    @Test(
        .enabled(if: !Rounds.isSanitized, "A sanitizer has nothing to find here."),
        arguments: PlantedInsertionBug.allCases)
    func `the test finds a store that keeps what it cannot know`(
        _ bug: PlantedInsertionBug
    ) async throws {
        for limit in [Load.faultsOfAKind, 12, 40] {
            let sweep = JoinedBatchSweep(limit: limit, seed: 0, bug: bug)
            if try await !sweep.run().problems.isEmpty { return }
        }
        Issue.record("The faults have not shown \(bug.rawValue).")
    }
}
