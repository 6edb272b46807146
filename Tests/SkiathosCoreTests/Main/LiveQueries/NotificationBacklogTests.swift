import Dispatch
import Skiathos
import SkiathosLocks
import SkiathosStore
import Synchronization
import TestSupport
import Testing

@testable import SkiathosCore

/// What waits for observers that are slower than the writers.
@Suite(.generousTimeLimit) struct NotificationBacklogTests {
    /// A query that keeps the thread of the notifications until it is released.
    private final class Holding: AnyLiveQuery {
        private let arrivals = AsyncStream.makeStream(of: Void.self)
        private let released = DispatchSemaphore(value: 0)
        private let last = Lock<UInt64>(0)

        var needsRows: Bool { false }

        /// The last commit that has woken it.
        var lastNumber: UInt64 { last.withLock { $0 } }

        func committed(_ changes: BatchChanges) {
            last.withLock { $0 = changes.number }
            arrivals.continuation.yield()
            released.wait()
            released.signal()
        }

        func end() { released.signal() }

        /// Waits until the thread is here.
        func arrival() async { _ = await arrivals.stream.first { true } }

        func release() { released.signal() }
    }

    private static func add(_ count: Int, to dal: DataAccessLayer) async throws {
        try await dal.write { context in
            for _ in 0..<count { try User.add(in: context) }
        }
    }

    @Test func `commits that wait for a slow observer keep a bounded number of rows`() async throws
    {
        try await withNotes { dal in
            let notifier = dal.coordinator.main.observers
            let users = try #require(dal.schema.position(of: User.self))
            let query = Holding()
            notifier.observe(query, ReadDependency(entity: users), of: dal)
            var values = dal.observe { try User.count(in: $0) }.makeAsyncIterator()
            #expect(try await values.next() == 0)
            // Fewer rows are compared by the thread that commits, which must not stand still.
            try await Self.add(20, to: dal)
            await query.arrival()
            for _ in 0..<12 {
                try await Self.add(1_000, to: dal)
                #expect(notifier.queuedSize <= CommitNotifier.queuedSizeLimit + 1)
            }
            #expect(notifier.queuedSize > CommitNotifier.queuedSizeLimit / 2)
            for _ in 0..<50 { try await Self.add(1, to: dal) }
            #expect(notifier.queuedSize <= CommitNotifier.queuedSizeLimit + 1)
            query.release()
            while !notifier.isCaughtUp { await Task.yield() }
            #expect(query.lastNumber == notifier.commitNumber)
            #expect(notifier.queuedSize == 0)
            while let value = try await values.next(), value < 12_070 {}
        }
    }

    @Test func `a feed misses nothing behind a slow observer`() async throws {
        try await withNotes { dal in
            let notifier = dal.coordinator.main.observers
            let users = try #require(dal.schema.position(of: User.self))
            let query = Holding()
            notifier.observe(query, ReadDependency(entity: users), of: dal)
            let feed = dal.changes(of: User.self)
            let counts = [20] + Array(repeating: 1_000, count: 12) + Array(repeating: 1, count: 20)
            for (number, count) in counts.enumerated() {
                try await Self.add(count, to: dal)
                if number == 0 { await query.arrival() }
            }
            query.release()
            var iterator = feed.makeAsyncIterator()
            for count in counts {
                let changes = try #require(try await iterator.nextChanges())
                #expect(changes.inserted.count == count)
                #expect(changes.isComplete)
            }
        }
    }

    @Test func `a long read keeps a bounded number of batches and is outdated by the others`()
        async throws
    {
        try await withNotes { dal in
            let notifier = dal.coordinator.main.observers
            let users = try #require(dal.schema.position(of: User.self))
            let companies = try #require(dal.schema.position(of: Company.self))
            let query = Woken()
            let start = notifier.beginRead(query)
            // Of companies alone, and of no known rows.
            for number in 1...UInt64(LiveQueries.recentSizeLimit + 1) {
                let changes = BatchChanges.Entity(
                    position: companies, columns: .all, rows: .unknown)
                notifier.live.committed(BatchChanges(number: start + number, [changes]))
                #expect(notifier.live.recentSize <= LiveQueries.recentSizeLimit)
            }
            #expect(notifier.live.recentSize >= LiveQueries.recentSizeLimit / 2)
            #expect(notifier.endRead(query, start, [ReadDependency(entity: users)], of: dal))
            #expect(notifier.live.recentSize == 0)
        }
    }

    @Test func `a write of more rows than may wait wakes no query of other rows`() async throws {
        try await withNotes { dal in
            let notifier = dal.coordinator.main.observers
            let users = try #require(dal.schema.position(of: User.self))
            let query = Woken()
            let other = StorePredicate.comparison(.column(4), .equal, .value(.integer(1_000)))
            notifier.observe(query, ReadDependency(entity: users, predicate: other), of: dal)
            try await Self.add(CommitNotifier.queuedSizeLimit + 1, to: dal)
            while !notifier.isCaughtUp { await Task.yield() }
            #expect(query.count.withLock { $0 } == 0)
        }
    }
}
