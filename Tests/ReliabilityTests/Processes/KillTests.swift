import ReliabilityKit
import Testing

#if canImport(Glibc)
/// Processes that are killed under load lose nothing that they were told is committed.
@Suite(.serialized, .timeLimit(.minutes(30))) struct KillTests {
    @Test func `what was acknowledged as committed survives kill -9 at any moment`() async throws {
        let seed = UInt64.random(in: .min ... .max)
        var run = KillRun(seed: seed)
        run.stores = Load.killedStores
        run.livesPerStore = Load.livesPerStore
        let result = try await run.run()
        #expect(result.problems == [], "seed \(seed)")
        // For the record.
        print(
            "\(result.kills) kills, \(result.killsWhileOpening) of them while opening, \(result.killsInRecovery) in recovery; \(result.promises) acknowledgements that must last, \(result.counts)"
        )
        // Below this load it would have shown nothing.
        #expect(result.kills == Load.killedStores * Load.livesPerStore)
        #expect(result.promises >= result.kills * 20, "seed \(seed): \(result)")
        #expect(result.killsInRecovery * 20 >= result.kills, "seed \(seed): \(result)")
        for form in ProtocolLine.Form.allCases {
            #expect(result.counts[form, default: 0] >= result.kills, "\(form), seed \(seed)")
        }
    }
}
#endif
