#if RequestCore && Lifecycle
import DataRequestCore
import Logging
import ServiceLifecycle
import ServiceLifecycleTestKit
import Skiathos
import SkiathosLifecycle
import SkiathosTesting
import TestClocks
import TestSupport
import Testing

@testable import DataRequestPersistence

/// The queue as a service of a group.
@Suite(.generousTimeLimit) struct QueueServiceTests {
    @Test func `a graceful shutdown lets the delivery under way finish, and the rest stays queued`()
        async throws
    {
        try await QueueFixture.run { fixture in
            let gate = Gate()
            fixture.server.script { path, _ in
                if path == "a" { await gate.pass() }
                return .ok
            }
            try await fixture.enqueue("a", "b")
            try await testGracefulShutdown { trigger in
                async let running: Void = fixture.queue.run()
                await gate.arrivals(1)
                trigger.triggerGracefulShutdown()
                await fixture.queue.waitUntilStopping()
                gate.open()
                try await running
            }
            #expect(fixture.server.paths == ["a"])
            let left = try await fixture.queue.pending()
            #expect(left.map(\.path) == ["b"])
            #expect(left.first?.attempts == 0)

            // The next run sends what is left, and nothing twice.
            let events = fixture.queue.events
            try await fixture.running { _ = await events.first(1) }
            #expect(fixture.server.paths == ["a", "b"])
            let counts = try await fixture.queue.counts()
            #expect(counts == .init(pending: 0, deadLetters: 0))
        }
    }

    @Test func `cancelling a queue that shuts down ends its delivery, which stays queued`()
        async throws
    {
        try await QueueFixture.run { fixture in
            let gate = Gate()
            fixture.server.script { _, count in
                if count == 0 { try await gate.passOrCancel() }
                return .ok
            }
            try await fixture.enqueue("a")
            try await testGracefulShutdown { trigger in
                let run = Task { try await fixture.queue.run() }
                await gate.arrivals(1)
                trigger.triggerGracefulShutdown()
                await fixture.queue.waitUntilStopping()
                run.cancel()
                try await run.value
            }
            let left = try await fixture.queue.pending()
            #expect(left.map(\.path) == ["a"])
            #expect(left.first?.attempts == 0)
            let report = try await fixture.queue.deliverNow()
            #expect(report.delivered == 1)
            #expect(Set(fixture.server.arrivals.map(\.key)).count == 1)
        }
    }

    @Test func `cancelling a queue that does not shut down is an error`() async throws {
        try await QueueFixture.run { fixture in
            let gate = Gate()
            fixture.server.script { _, _ in
                try await gate.passOrCancel()
                return .ok
            }
            try await fixture.enqueue("a")
            await testGracefulShutdown { _ in
                let run = Task { try await fixture.queue.run() }
                await gate.arrivals(1)
                run.cancel()
                await #expect(throws: CancellationError.self) { try await run.value }
            }
            let left = try await fixture.queue.pending()
            #expect(left.map(\.attempts) == [0])
        }
    }

    @Test func `a queue that begins during a graceful shutdown delivers nothing`() async throws {
        try await QueueFixture.run { fixture in
            try await fixture.enqueue("a")
            try await testGracefulShutdown { trigger in
                trigger.triggerGracefulShutdown()
                try await fixture.queue.run()
            }
            #expect(fixture.server.paths == [])
            let counts = try await fixture.queue.counts()
            #expect(counts.pending == 1)
        }
    }

    @Test func `a queue runs twice at the same time, and again after a graceful shutdown`()
        async throws
    {
        try await QueueFixture.run { fixture in
            for number in 1...2 {
                let events = fixture.queue.events
                try await testGracefulShutdown { trigger in
                    async let first: Void = fixture.queue.run()
                    async let second: Void = fixture.queue.run()
                    try await fixture.enqueue("a\(number)", "b\(number)")
                    try await fixture.enqueue("c\(number)", key: "other")
                    _ = await events.first(3)
                    trigger.triggerGracefulShutdown()
                    try await first
                    try await second
                }
            }
            #expect(fixture.server.paths.sorted() == ["a1", "a2", "b1", "b2", "c1", "c2"])
            let counts = try await fixture.queue.counts()
            #expect(counts == .init(pending: 0, deadLetters: 0))
        }
    }

    @Test func `a store that is closed during a delivery ends the queue and keeps the request`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let (server, gate) = (ScriptedServer(), Gate())
        server.script { _, count in
            if count == 0 { await gate.pass() }
            return .ok
        }
        let dal = try await open(directory)
        try await dal.write { try $0.enqueue(DataRequest(.post, "a"), key: "k") }
        let queue = try QueueFixture.queue(dal, server, TestClock())
        let run = Task { try await queue.run() }
        await gate.arrivals(1)
        try await dal.close()
        gate.open()
        try await run.value

        // It was answered, and is sent again with the same key, since that was not stored.
        let again = try await open(directory)
        let report = try await QueueFixture.queue(again, server, TestClock()).deliverNow()
        #expect(report == .init(delivered: 1, postponed: 0, deadLettered: 0, waiting: 0))
        #expect(server.paths == ["a", "a"])
        #expect(Set(server.arrivals.map(\.key)).count == 1)
        try await again.close()
    }

    @Test func `a group stops the queue before the store, in which the outcome is kept`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let (server, gate) = (ScriptedServer(), Gate())
        server.script { _, _ in
            await gate.pass()
            return .ok
        }
        let dal = try await open(directory)
        try await dal.write { context in
            for path in ["a", "b"] { try context.enqueue(DataRequest(.post, path), key: "k") }
        }
        let queue = try QueueFixture.queue(dal, server, TestClock())
        let group = ServiceGroup(services: [dal, queue], logger: .silent)
        async let running: Void = group.run()
        await gate.arrivals(1)
        await group.triggerGracefulShutdown()
        await queue.waitUntilStopping()
        gate.open()
        try await running
        #expect(server.paths == ["a"])
        #expect(try await storedPaths(directory) == ["b"])
    }

    @Test func `a delivery that takes longer than the group allows stays queued`() async throws {
        let directory = try TemporaryDirectory()
        let (server, gate) = (ScriptedServer(), Gate())
        server.script { _, _ in
            try await gate.passOrCancel()
            return .ok
        }
        let dal = try await open(directory)
        try await dal.write { try $0.enqueue(DataRequest(.post, "a"), key: "k") }
        let queue = try QueueFixture.queue(dal, server, TestClock())
        var configuration = ServiceGroupConfiguration(services: [dal, queue], logger: .silent)
        configuration.maximumGracefulShutdownDuration = .milliseconds(1)
        let group = ServiceGroup(configuration: configuration)
        async let running: Void = group.run()
        await gate.arrivals(1)
        await group.triggerGracefulShutdown()
        // Only the cancellation ends the delivery.
        try await running
        #expect(try await storedPaths(directory) == ["a"])
    }

    private func open(_ directory: TemporaryDirectory) async throws -> DataAccessLayer {
        var configuration = Configuration()
        // It passes on no machine, however busy it is.
        configuration.shutdownDeadline = .seconds(600)
        return try await DataAccessLayer.open(
            .sqlite(directory.file("test.sqlite")), entities: [Song.self] + DataRequestEntities.all,
            configuration: configuration)
    }

    /// Opens a store again, which shows that it was closed, and reads what is queued.
    private func storedPaths(_ directory: TemporaryDirectory) async throws -> [String] {
        let dal = try await open(directory)
        let queue = try QueueFixture.queue(dal, ScriptedServer(), TestClock())
        let pending = try await queue.pending()
        try await dal.close()
        #expect(pending.allSatisfy { $0.attempts == 0 })
        return pending.map(\.path)
    }
}

extension OfflineQueue {
    /// Waits until a graceful shutdown has reached the queue.
    fileprivate func waitUntilStopping() async { while !isStopping { await Task.yield() } }
}

extension Logger {
    fileprivate static var silent: Logger {
        Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    }
}
#endif
