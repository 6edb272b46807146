import ReliabilityKit
import TestSupport
import Testing

/// The disk fails at every operation of a store's life.
@Suite(.serialized, .generousTimeLimit) struct FaultTests {
    @Test
    func
        `every caller gets a true error whatever fails, and the store works again when the disk does`()
        async throws
    {
        let seed = UInt64.random(in: .min ... .max)
        let result = try await FaultSweep(limit: Load.faultsOfAKind, seed: seed).run()
        for problem in result.problems.prefix(20) { Issue.record("\(problem), seed \(seed)") }
        // Below this load it would have shown nothing.
        #expect(result.faults >= Load.faultsOfAKind * 25)
        #expect(result.poisonings >= Load.faultsOfAKind)
        #expect(result.refusals >= Load.faultsOfAKind)
    }

    /// The sweep's number of faults of a kind detects a store that misses a failed sync.
    @Test(arguments: [
        (Volume.Files.wal, Volume.Lies.failedWALSync), (.main, .failedMainSync),
    ])
    func `the test finds a failed sync that is not reported`(
        _ file: Volume.Files, _ lies: Volume.Lies
    ) async throws {
        for position in 0..<Load.faultsOfAKind {
            var run = FaultRun(Fault(.sync, file, after: position, result: 1034))
            run.lies = lies
            if try await !run.run().problems.isEmpty { return }
        }
        Issue.record("\(Load.faultsOfAKind) faults have not shown it.")
    }
}
