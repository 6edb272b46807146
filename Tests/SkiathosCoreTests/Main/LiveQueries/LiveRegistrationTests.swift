import Locks
import Skiathos
import SkiathosStore
import Synchronization
import TestSupport
import Testing

@testable import SkiathosCore

/// Commits whose changes were not recorded, since nothing was observed when they were merged.
@Suite(.generousTimeLimit) struct LiveRegistrationTests {
    /// A query that counts how often it was woken.
    private final class Woken: AnyLiveQuery {
        let count = Lock(0)
        var needsRows: Bool { false }
        func committed(_ changes: BatchChanges) { count.withLock { $0 += 1 } }
        func end() {}
    }

    /// Two reads of users under way, of queries of which neither is registered yet.
    private struct Reads {
        let first = Woken()
        let second = Woken()
        let start: UInt64
        let dal: DataAccessLayer

        init(of dal: DataAccessLayer) {
            self.dal = dal
            let notifier = dal.coordinator.main.observers
            for query in [first, second] { _ = notifier.live.join(nil) { query } }
            _ = notifier.live.beginRead(notifier)
            start = notifier.live.beginRead(notifier)
        }

        /// Ends a read; returns whether it is outdated.
        func end(_ query: Woken) throws -> Bool {
            let notifier = dal.coordinator.main.observers
            let users = try #require(dal.schema.position(of: User.self))
            return notifier.live.endRead(
                query, start, [ReadDependency(entity: users)], isComplete: true, notifier,
                dal.coordinator.commits)
        }
    }

    @Test func `a commit that nothing observed outdates every read that began before it`()
        async throws
    {
        try await withNotes { dal in
            let reads = Reads(of: dal)
            try await dal.write { try User.add(in: $0) }
            #expect(try reads.end(reads.first))
            // Users are observed by now, but they were not when the commit was made.
            #expect(try reads.end(reads.second))
        }
    }

    @Test func `a batch that was merged when nothing was observed wakes every query`() async throws
    {
        try await withNotes(configuration: .patient) { dal in
            try await dal.write(acknowledging: .merged) { try User.add(in: $0) }
            let reads = Reads(of: dal)
            #expect(try !reads.end(reads.first))
            #expect(try !reads.end(reads.second))
            try await dal.flush(to: .committed)
            while !dal.coordinator.main.observers.isCaughtUp { await Task.yield() }
            #expect(reads.first.count.withLock { $0 } == 1)
            #expect(reads.second.count.withLock { $0 } == 1)
        }
    }

    @Test func `a batch that began when users were observed wakes nothing else`() async throws {
        try await withNotes(configuration: .patient) { dal in
            let reads = Reads(of: dal)
            #expect(try !reads.end(reads.first))
            #expect(try !reads.end(reads.second))
            try await dal.write { try Company.create(in: $0) { $0.name = "x" } }
            while !dal.coordinator.main.observers.isCaughtUp { await Task.yield() }
            #expect(reads.first.count.withLock { $0 } == 0)
            #expect(reads.second.count.withLock { $0 } == 0)
        }
    }
}
