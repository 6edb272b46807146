import Dispatch
import Locks
import Skiathos
import SkiathosStore
import Synchronization
import TestSupport
import Testing

@testable import SkiathosCore

/// What waits for observers that are slower than the writers.
@Suite(.generousTimeLimit) struct NotificationBacklogTests {
    /// A query that keeps the thread of the notifications until it is released.
    private final class Holding: AnyLiveQuery {
        let arrivals = AsyncStream.makeStream(of: Void.self)
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

        func release() { released.signal() }
    }

    private final class Woken: AnyLiveQuery {
        let count = Lock(0)
        var needsRows: Bool { false }
        func committed(_ changes: BatchChanges) { count.withLock { $0 += 1 } }
        func end() {}
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
            notifier.observe(query, [ReadDependency(entity: users)], of: dal)
            var values = dal.observe { try User.count(in: $0) }.makeAsyncIterator()
            #expect(try await values.next() == 0)
            // Fewer rows are compared by the thread that commits, which must not stand still.
            try await Self.add(20, to: dal)
            _ = await query.arrivals.stream.first { true }
            for _ in 0..<12 {
                try await Self.add(1_000, to: dal)
                #expect(notifier.queuedRowCount <= CommitNotifier.queuedRowLimit + 1)
            }
            #expect(notifier.queuedRowCount > CommitNotifier.queuedRowLimit / 2)
            for _ in 0..<50 { try await Self.add(1, to: dal) }
            #expect(notifier.queuedRowCount <= CommitNotifier.queuedRowLimit + 1)
            query.release()
            while !notifier.isCaughtUp { await Task.yield() }
            #expect(query.lastNumber == notifier.commitNumber)
            #expect(notifier.queuedRowCount == 0)
            while let value = try await values.next(), value < 12_070 {}
        }
    }

    @Test func `a write of more rows than may wait wakes no query of other rows`() async throws {
        try await withNotes { dal in
            let notifier = dal.coordinator.main.observers
            let users = try #require(dal.schema.position(of: User.self))
            let query = Woken()
            let other = StorePredicate.comparison(.column(4), .equal, .value(.integer(1_000)))
            notifier.observe(query, [ReadDependency(entity: users, predicate: other)], of: dal)
            try await Self.add(CommitNotifier.queuedRowLimit + 1, to: dal)
            while !notifier.isCaughtUp { await Task.yield() }
            #expect(query.count.withLock { $0 } == 0)
        }
    }
}

extension CommitNotifier {
    /// Observes what a query depends on, as if it had read it.
    fileprivate func observe(
        _ query: some AnyLiveQuery, _ dependencies: Set<ReadDependency>, of dal: DataAccessLayer
    ) {
        _ = live.join(nil) { query }
        let start = live.beginRead(self)
        #expect(
            !live.endRead(
                query, start, dependencies, isComplete: true, self, dal.coordinator.commits))
    }
}
