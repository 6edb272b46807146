import ReliabilityKit
import Testing

/// Losses of power are simulated below SQLite; what they leave must hold everything durable.
@Suite(.serialized, .timeLimit(.minutes(5))) struct PowerCutTests {
    @Test func `whatever a loss of power leaves, it holds what was durable, and no half writes`()
        async throws
    {
        let seed = UInt64.random(in: .min ... .max)
        var run = PowerCutRun(seed: seed)
        run.lives = 10
        run.images = 8_000
        let result = try await run.run()
        #expect(result.problems == [], "seed \(seed)")
        // Below this load it would have shown nothing.
        #expect(result.images >= 8_000)
        #expect(result.events >= 10_000)
        #expect(result.durableWrites >= 300)
        #expect(result.mainSyncs >= 50)
    }

    @Test func `so it does after syncs and writes that have failed`() async throws {
        var faults = 0
        for _ in 0..<4 {
            let seed = UInt64.random(in: .min ... .max)
            var run = PowerCutRun(seed: seed)
            run.images = 500
            run.hasFaults = true
            let result = try await run.run()
            #expect(result.problems == [], "seed \(seed)")
            faults += result.faults
        }
        #expect(faults >= 10)
    }
}
