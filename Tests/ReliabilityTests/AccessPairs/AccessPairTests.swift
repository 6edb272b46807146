import ReliabilityKit
import Testing

#if canImport(Glibc)
@Suite(.timeLimit(.minutes(30))) struct AccessPairTests {
    @Test func `no two kinds of access hang beside each other while they block all threads`()
        async throws
    {
        let stride = Load.accessPairs
        let first = stride > 1 ? Int.random(in: 0..<stride) : 0
        let result = try await AccessPairSweep(stride: stride, first: first).run()
        for problem in result.problems { Issue.record("\(problem)") }
        // For the record.
        print("\(result.tried) pairs, from \(first) in steps of \(stride)")
    }

    @Test(arguments: AccessScene.allCases)
    func `every access ends and every task gets a thread, whatever holds the threads`(
        _ scene: AccessScene
    ) async throws {
        #expect(try await AccessPairSweep.run(scene) == [])
    }
}
#endif
