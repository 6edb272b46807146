#if RequestCore
import DeliveryKit
import TestSupport
import Testing

#if canImport(Glibc)
/// What a queue promises holds for processes that are killed at any moment.
struct QueueKillTests {
    @Test(.seeded, .generousTimeLimit)
    func `a queue that is killed at any moment loses nothing and keeps the order of keys`()
        async throws
    {
        let stores = Rounds.of(2)
        let result = try await DeliveryKillRun(stores: stores, livesPerStore: 12).run(
            seed: Seed.current)
        print(
            """
            Offline queue under SIGKILL: \(stores) stores, \(result.kills) kills, \
            \(result.changes) committed changes, \(result.requests) requests, \
            \(result.deliveries) deliveries, \(result.duplicates) duplicates, \
            \(result.failedBatchCount) failedBatchCount
            """)
        #expect(result.problems == [])
        #expect(result.failedBatchCount == 0)
        #expect(result.changes > 0)
        #expect(result.kills > 0)
    }
}
#endif
#endif
