import ReliabilityKit
import TestSupport
import Testing

#if canImport(Glibc)
@Suite(.generousTimeLimit) struct AccessPairTests {
    @Test(.seeded)
    func `no two kinds of access hang beside each other while they block all threads`()
        async throws
    {
        let stride = Load.accessPairs
        let first = Int(Seed.current % UInt64(stride))
        let result = try await AccessPairSweep(stride: stride, first: first).run()
        for problem in result.problems { Issue.record("\(problem)") }
        // For the record.
        print("\(result.tried) pairs, from \(first) in steps of \(stride)")
    }

    @Test(arguments: AccessScene.allCases)
    func `every access ends and every task gets a thread, whatever holds the threads`(
        _ scene: AccessScene
    ) async throws {
        let problems = try await AccessPairSweep.run(scene)
        #expect(problems == [])
    }
}
#endif
