import ReliabilityKit
import Skiathos
import SkiathosLocks
import SkiathosStore
import Synchronization
import TestSupport
import Testing

@testable import SkiathosCore

@Suite(.generousTimeLimit) struct ShutdownTests {
    @Test func `a shutdown finishes what was accepted inside the deadline`() async throws {
        let store = try TemporaryStore()
        let dal = try await store.open()
        for age in 0..<200 {
            dal.enqueue { context in try User.create(in: context) { $0.age = age } }
        }
        let report = await dal.shutDown(within: .seconds(600))
        #expect(report.isComplete, "\(report)")
        #expect(report.isDurable)
        #expect(report.unfinished == 0)
        #expect(report.description.contains("nothing was left undone"))
        let error = await #expect(throws: DataAccessError.self) { try await dal.read { _ in } }
        #expect(error?.code == .closed)
        #expect(await dal.shutDown(within: .seconds(1)).isClosed)
        #expect(try await store.storedUsers() == 200)
    }

    @Test func `every waiting call fails after the deadline and what was merged is on disk`()
        async throws
    {
        let ends = Log<DataAccessError.Code?>()
        var configuration = Configuration()
        configuration.commitInterval = .seconds(3600)
        configuration.shutdownGrace.flush = .seconds(600)
        configuration.errorHandler = { failure in
            ends.note((failure.error as? DataAccessError)?.code)
        }
        let store = try TemporaryStore()
        let dal = try await store.open(configuration)
        try await dal.write(acknowledging: .merged) { try User.create(in: $0) }
        let runs = Log<Void>()
        try await dal.whileAWriteIsUnderWay {
            let task = Task { try await dal.write { _ -> Void in runs.note(()) } }
            await dal.waitForWriters(1)
            let thread = Task {
                try await onThread { try dal.write { _ -> Void in runs.note(()) } }
            }
            await dal.waitForWriters(2)
            dal.enqueue { _ in runs.note(()) }
            await dal.waitForWriters(3)
            let report = await dal.shutDown(within: .milliseconds(20))
            #expect(!report.isComplete)
            #expect(!report.isClosed)
            #expect(report.isDurable)
            #expect(report.refused == 3)
            #expect(report.unfinished == 1)
            #expect(report.failure == nil)
            for waiting in [task, thread] {
                let error = await #expect(throws: DataAccessError.self) {
                    _ = try await waiting.value
                }
                #expect(error?.code == .closed)
            }
        }
        // The running write has ended; closing everything is still possible.
        try await dal.close()
        #expect(ends.entries == [.closed])
        #expect(runs.entries.isEmpty)
        #expect(try await store.storedUsers() == 1)
    }

    @Test(arguments: [0, 1, 2, 3], [0, 1])
    func
        `a report counts the closures that are still running, and no connection that the shutdown holds`(
            _ reads: Int, _ writes: Int
        ) async throws
    {
        let store = try TemporaryStore()
        var configuration = Configuration()
        configuration.readerCount = 3
        configuration.shutdownGrace.closures = .milliseconds(1)
        let dal = try await store.open(configuration)
        let door = Door()
        let meeting = Meeting(of: reads + writes + 1)
        var closures: [Task<Void, any Error>] = []
        for number in 0..<reads + writes {
            closures.append(
                Task {
                    try await onThread {
                        if number < reads {
                            try dal.read { _ -> Void in
                                meeting.come()
                                door.pass()
                            }
                        } else {
                            try dal.write { _ -> Void in
                                meeting.come()
                                door.pass()
                            }
                        }
                    }
                })
        }
        try await onThread { meeting.come() }
        let report = await dal.shutDown(within: .zero)
        #expect(report.unfinished == reads + writes)
        #expect(!report.isClosed || reads + writes == 0)
        door.open()
        for closure in closures { _ = await closure.result }
        try await dal.close()
    }

    @Test func `a call that waits behind an enqueued write fails while that one still runs`()
        async throws
    {
        let dal = try await DataAccessLayer.open(.inMemory, entities: Company.self, User.self)
        let door = Door()
        let began = Event()
        let told = Event()
        dal.enqueue { _ in
            began.happen()
            door.pass()
        }
        await began.wait()
        dal.write({ _ -> Void in }) { _ in told.happen() }
        let report = await dal.shutDown(within: .zero)
        #expect(report.refused == 1)
        await told.wait()
        door.open()
        try await dal.close()
    }

    @Test func `a query that outlasts the deadline is interrupted, and its write rolled back`()
        async throws
    {
        var configuration = Configuration()
        configuration.shutdownGrace.closures = .seconds(600)
        let store = try TemporaryStore()
        let dal = try await store.open(configuration)
        try await dal.write { context in
            for level in 0..<1000 { try Reading.create(in: context) { $0.level = level } }
        }
        let began = Event()
        let endless: @Sendable (Bool) async throws -> Void = { isWrite in
            try await onThread {
                if isWrite {
                    try dal.write { context in
                        try User.create(in: context)
                        while true {
                            for reading in try Reading.all(in: context) { reading.level += 1 }
                            began.happen()
                        }
                    }
                } else {
                    try dal.read { context in
                        while true { _ = try Reading.all(in: context) as [Reading] }
                    }
                }
            }
        }
        let closures = [Task { try await endless(true) }, Task { try await endless(false) }]
        await began.wait()
        let report = await dal.shutDown(within: .milliseconds(20))
        #expect(report.isClosed, "\(report)")
        #expect(report.unfinished == 0)
        for closure in closures {
            let error = await #expect(throws: (any Error).self) { try await closure.value }
            let isTold =
                (error as? StoreError)?.code == .interrupted
                || (error as? DataAccessError)?.code == .closed
            #expect(isTold)
        }
        #expect(try await store.storedUsers() == 0)
    }

    @Test func `a closure that ends within the grace is not abandoned`() async throws {
        var configuration = Configuration()
        configuration.shutdownGrace.closures = .seconds(600)
        let store = try TemporaryStore()
        let dal = try await store.open(configuration)
        let calls = Log<Task<ShutdownReport, Never>>()
        try await dal.whileAWriteIsUnderWay {
            calls.note(Task { await dal.shutDown(within: .zero) })
            while !dal.coordinator.rootWriter.stop.isSet { await Task.yield() }
        }
        let report = await calls.entries[0].value
        #expect(report.isClosed, "\(report)")
        #expect(report.unfinished == 0)
    }

    @Test
    func `a second call with a shorter deadline ends the first one too, and both report the same`()
        async throws
    {
        let store = try TemporaryStore()
        let dal = try await store.open()
        try await dal.whileAWriteIsUnderWay {
            dal.write({ _ -> Void in }) { _ in }
            await dal.waitForWriters(1)
            // The write ends only after both calls, so that the first would wait for an hour.
            async let first = dal.shutDown(within: .seconds(3600))
            await dal.waitForWriters(2)
            let second = await dal.shutDown(within: .zero)
            #expect(!second.isClosed)
            #expect(second.isDurable)
            #expect(second.refused == 1)
            #expect(second.unfinished == 1)
            #expect(await first.description == second.description)
            // One without a deadline of its own keeps to the earliest.
            let third = await dal.shutDown()
            #expect(third.unfinished == 1)
        }
        try await dal.close()
        // The shutdown is over, so it has not taken longer since.
        let last = await dal.shutDown(within: .zero)
        #expect(last.isClosed)
        #expect(last.refused == 1)
        #expect(await dal.shutDown().description == last.description)
    }

    @Test func `a call with more time than an earlier one waits for the closures that were left`()
        async throws
    {
        let store = try TemporaryStore()
        let dal = try await store.open()
        let calls = Log<Task<ShutdownReport, Never>>()
        try await dal.whileAWriteIsUnderWay {
            #expect(await dal.shutDown(within: .zero).unfinished == 1)
            calls.note(Task { await dal.shutDown(within: .seconds(3600)) })
            // The first call's closing has the copies, and waits for the permit.
            while dal.coordinator.copies.waitingCount == 0 { await Task.yield() }
        }
        #expect(await calls.entries[0].value.isClosed)
    }

    @Test(arguments: [Acknowledgement.committed, .durable])
    func `another program's lock fails the closing, and not what was merged`(
        level: Acknowledgement
    ) async throws {
        let store = try TemporaryStore()
        let lock = ForeignLock()
        let source = StoreSource.sqlite(store.path).mapped { base in
            ForwardingStore(base, session: { LockedSession($0, lock) })
        }
        let dal = try await DataAccessLayer.fixture(in: source)
        try await dal.write(acknowledging: level) { context -> Void in
            try User.create(in: context)
        }
        // IDs that were not used cannot be given back.
        lock.isHeld.withLock { $0 = true }
        let report = await dal.shutDown(within: .seconds(3600))
        #expect(report.isClosed)
        #expect((report.failure as? StoreError)?.code == .busy)
        #expect(report.isDurable)
        #expect(report.description.contains("what was merged is on disk"), "\(report)")
        #expect(try await store.storedUsers() == 1)
    }

    @Test func `cancelling a shutdown does not cut it short`() async throws {
        let store = try TemporaryStore()
        let dal = try await store.open()
        try await dal.write { try User.create(in: $0) }
        let task = Task {
            cancelThisTask()
            return await dal.shutDown(within: .seconds(600))
        }
        #expect(await task.value.isComplete)
        #expect(try await store.storedUsers() == 1)
    }
}

/// A lock that another program may have.
private final class ForeignLock: Sendable {
    let isHeld = Lock(false)
}

/// A session that such a lock keeps from beginning, while it is held.
private final class LockedSession: ForwardingSession {
    private let lock: ForeignLock

    init(_ base: any StoreWriteSession, _ lock: ForeignLock) {
        self.lock = lock
        super.init(base)
    }

    override func begin() throws {
        if lock.isHeld.withLock({ $0 }) {
            throw StoreError(.busy, "Another program has the lock.")
        }
        try super.begin()
    }
}
