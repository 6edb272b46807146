#if RequestCore
import DeliveryKit
import Foundation
import Testing

#if canImport(Glibc)
/// A sync goes on after its process was killed, and ends with what the server has.
struct SyncKillTests {
    @Test func `killed at any moment, a sync goes on and ends with equal contents`() async throws {
        let stores = ProcessInfo.processInfo.environment["SYNC_STORES"].flatMap { Int($0) } ?? 2
        let seed = UInt64.random(in: 1 ... .max)
        let result = try await SyncKillRun(stores: stores, livesPerStore: 8).run(seed: seed)
        print(
            """
            Sync under SIGKILL, seed \(seed): \(stores) stores, \(result.kills) kills, \
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
