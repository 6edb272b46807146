#if RequestCore
import DataRequestCore
import Foundation
import Skiathos
import SkiathosLocks
import SkiathosTesting
import Synchronization
import TestClocks
import TestSupport
import Testing

@testable import DataRequestPersistence

/// Waits of the queue while the wall clock is set to another time.
@Suite(.generousTimeLimit) struct ClockJumpTests {
    /// By how many seconds the wall clock is set.
    private static let jumps = [-1_000_000_000, -86_400, -3_600, -20, -5, 0, 5, 3_600]

    /// The wait takes ten seconds, of which seven have passed when the clock is set.
    @Test(arguments: jumps, [false, true])
    func `a request is sent again when its wait has passed, whatever the wall clock says`(
        _ jump: Int, isRestarted: Bool
    ) async throws {
        let jumped = Lock(0)
        let isAnswering = Lock(false)
        try await withStore(.inMemory, entities: [Song.self] + DataRequestEntities.all) { dal in
            let (server, clock) = (ScriptedServer(), TestClock())
            server.script { _, _ in
                isAnswering.withLock { $0 } ? .ok : .internalServerError
            }
            func queue() throws -> OfflineQueue {
                try QueueFixture.queue(dal, server, clock) { configuration in
                    configuration.firstDelay = .seconds(10)
                    configuration.now = {
                        clock.date.addingTimeInterval(Double(jumped.withLock { $0 }))
                    }
                }
            }
            func enqueue(_ path: String) async throws {
                try await dal.write { try $0.enqueue(DataRequest(.post, path), key: path) }
            }
            let first = try queue()
            try await enqueue("a")
            let failures = first.events
            try await Self.running(first) { _ = await failures.first(1) }
            clock.advance(by: .seconds(7))
            jumped.withLock { $0 = jump }
            isAnswering.withLock { $0 = true }

            let queue = isRestarted ? try queue() : first
            let events = queue.events
            try await Self.running(queue) {
                // Each makes the queue look at all.
                try await enqueue("b")
                await Self.waitForDelivery(of: "b", events)
                clock.advance(by: .seconds(isRestarted ? 10 : 3))
                try await enqueue("c")
                if !server.paths.dropFirst().contains("a") {
                    await Self.waitForDelivery(of: "a", events)
                }
            }
            #expect(server.paths.count { $0 == "a" } == 2)
        }
    }

    private static func running(
        _ queue: OfflineQueue, _ body: () async throws -> Void
    ) async throws {
        let run = Task { try await queue.run() }
        try await body()
        await queue.stop()
        try await run.value
    }

    private static func waitForDelivery(
        of key: String, _ events: AsyncStream<OfflineQueue.Event>
    ) async {
        for await case .delivered(_, let delivered) in events where delivered == key { return }
    }
}
#endif
