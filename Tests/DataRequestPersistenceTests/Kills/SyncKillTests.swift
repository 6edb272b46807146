#if RequestCore
import DeliveryKit
import TestSupport
import Testing

#if canImport(Glibc)
/// A sync continues after its process was killed, and ends with the server's contents.
struct SyncKillTests {
    @Test(.seeded, .generousTimeLimit)
    func `a sync that is killed at any moment continues and ends with equal contents`() async throws
    {
        let stores = Rounds.of(2)
        let result = try await SyncKillRun(stores: stores, livesPerStore: 8).run(seed: Seed.current)
        print(
            """
            Sync under SIGKILL: \(stores) stores, \(result.kills) kills, \
            \(result.resumed) went on behind the first page, \(result.pages) pages, \
            \(result.rows) rows in the end
            """)
        #expect(result.problems == [])
        #expect(result.kills > 0)
        #expect(result.rows > 0)
    }
}
#endif
#endif
