import ReliabilityKit
import TestSupport
import Testing

#if canImport(Glibc)
/// Processes that are killed under load lose no write that was acknowledged as committed.
@Suite(.serialized, .generousTimeLimit) struct KillTests {
    @Test(.seeded)
    func `a write acknowledged as committed survives kill -9 at any moment`() async throws {
        var run = KillRun(seed: Seed.current)
        run.stores = Load.killedStores
        run.livesPerStore = Load.livesPerStore
        let result = try await run.run()
        #expect(result.problems == [])
        // For the record.
        print(
            "\(result.kills) kills, \(result.killsWhileOpening) of them while opening, \(result.killsInRecovery) in recovery; \(result.promises) acknowledgements that must last, \(result.counts)"
        )
        // Below this load it would have shown nothing.
        #expect(result.kills == Load.killedStores * Load.livesPerStore)
        #expect(result.promises >= result.kills * 20, "\(result)")
        #expect(result.killsInRecovery >= Load.killedStores, "\(result)")
        // The rarest is one of twenty.
        for form in ProtocolLine.Form.allCases {
            #expect(result.counts[form, default: 0] >= Load.killedStores, "\(form): \(result)")
        }
    }
}
#endif
