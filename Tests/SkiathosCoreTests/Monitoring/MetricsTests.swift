import Dispatch
import Metrics
import MetricsTestKit
import Skiathos
import TestSupport
import Testing

@testable import SkiathosCore

@Suite(.generousTimeLimit) struct MetricsTests {
    private let metrics = TestMetrics()
    private let dimensions = [("store", "main")]
    private let configuration: Configuration

    init() {
        var configuration = Configuration()
        configuration.metricsFactory = metrics
        configuration.commitInterval = .seconds(3600)
        configuration.checkpointSize = 4 << 20
        self.configuration = configuration
    }

    private func counter(_ name: String) throws -> Int64 {
        try metrics.expectCounter(name, dimensions).totalValue
    }

    private func depth(_ name: String) throws -> [Double] {
        try metrics.expectMeter("skiathos.\(name).queue.depth", dimensions).values
    }

    /// Waits until a queue has been counted as so long: who lines up is counted just after that.
    private func wait(for depth: Double, _ name: String) async throws {
        while try self.depth(name).last != depth { await Task.yield() }
    }

    private func times(_ name: String) throws -> [Int64] {
        try metrics.expectTimer("skiathos.\(name).duration", dimensions).values
    }

    @Test func `commits count their writes, and each write takes its time`() async throws {
        try await withStore(configuration: configuration) { dal in
            for age in 1...3 {
                try await dal.write(acknowledging: .merged) { context in
                    try User.create(in: context) { $0.age = age }
                }
            }
            #expect(try counter("skiathos.commits") == 0)
            try await dal.flush(to: .committed)
            try await dal.write { try User.create(in: $0) }
            // Changes nothing, so there is nothing to commit.
            try await dal.write { _ in }
            #expect(try counter("skiathos.commits") == 2)
            #expect(try counter("skiathos.writes.committed") == 4)
            #expect(try counter("skiathos.writes.lost") == 0)
            let perCommit = try metrics.expectRecorder("skiathos.commit.writes", dimensions).values
            #expect(perCommit == [3, 1])
            #expect(try times("write").count == 5)
            #expect(try depth("write").isEmpty)
            #expect(try times("write.wait").isEmpty)
        }
    }

    @Test func `each sync is timed, and syncs that are not needed are not made`() async throws {
        try await withStore(configuration: configuration) { dal in
            try await dal.write { try User.create(in: $0) }
            #expect(try times("sync").isEmpty)
            try await dal.write(acknowledging: .durable) { context in
                try User.create(in: context) { $0.age = 1 }
            }
            #expect(try times("sync").count == 1)
            try await dal.flush()
            #expect(try times("sync").count == 2)
        }
    }

    @Test func `waiting writes are counted, and timed when they get their permit`()
        async throws
    {
        try await withStore(configuration: configuration) { dal in
            let tasks = Log<Task<Void, any Error>>()
            let cancelled = Log<Task<Void, any Error>>()
            try await dal.whileAWriteIsUnderWay {
                tasks.note(Task { try await dal.write { _ in } })
                await dal.waitForWriters(1)
                tasks.note(Task { try await onThread { try dal.write { (_) -> Void in } } })
                await dal.waitForWriters(2)
                dal.enqueue { _ in }
                await dal.waitForWriters(3)
                cancelled.note(Task { try await dal.write { _ in } })
                await dal.waitForWriters(4)
                for task in cancelled.entries { task.cancel() }
                await dal.waitForWriters(3)
                try await wait(for: 3, "write")
            }
            for task in tasks.entries { try await task.value }
            try await dal.flush(to: .committed)
            try await wait(for: 0, "write")
            // The flush waited too, unless all the others were done by then.
            #expect((3...4).contains(try times("write.wait").count))
        }
    }

    @Test func `waiting reads are counted, and others take no time`() async throws {
        var configuration = configuration
        configuration.readerCount = 1
        try await withStore(configuration: configuration) { dal in
            try await dal.read { _ in }
            #expect(try depth("read").isEmpty)
            let door = Door()
            let began = Event()
            async let holder: Void = onThread {
                try dal.read { _ -> Void in
                    began.happen()
                    door.pass()
                }
            }
            await began.wait()
            let waiting = Task { try await dal.read { try User.count(in: $0) } }
            try await wait(for: 1, "read")
            door.open()
            try await holder
            #expect(try await waiting.value == 0)
            try await wait(for: 0, "read")
            #expect(try times("read.wait").count == 1)
        }
    }

    @Test func `each commit reports the size of the WAL, and checkpoints are timed`()
        async throws
    {
        try await withStore(configuration: configuration) { dal in
            let size = try metrics.expectMeter("skiathos.wal.size", dimensions)
            try await dal.write { try User.create(in: $0) }
            let small = try #require(size.lastValue)
            #expect(small > 0)
            let text = String(repeating: "7", count: 1 << 20)
            for age in 1...5 {
                try await dal.write { context in
                    try User.create(in: context) {
                        $0.firstname = text
                        $0.age = age
                    }
                }
            }
            #expect(try #require(size.values.max()) > small + Double(4 << 20))
            // Checkpoints are made in the background.
            dal.coordinator.rootWriter.commits.awaitCheckpoint()
            #expect(!(try times("checkpoint").isEmpty))
        }
    }

    @Test func `the factory in force is taken when the store is opened`() async throws {
        let bound = TestMetrics()
        let store = try TemporaryStore()
        let dal = try await withMetricsFactory(bound) { try await store.open() }
        try await dal.write { try User.create(in: $0) }
        #expect(bound.counterTotal(label: "skiathos.commits") == 1)
        try await dal.close()
    }

    @Test func `a store without a metrics system counts nothing`() {
        #expect(StoreMetrics(NOOPMetricsHandler.instance, store: "main") == nil)
    }
}
