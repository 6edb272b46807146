import Skiathos
import SkiathosLocks
import SkiathosStore
import Synchronization
import TestSupport
import Testing

@testable import SkiathosCore

/// Which commits wake queries that have just been registered, and which outdate their reads.
@Suite(.generousTimeLimit) struct LiveRegistrationTests {
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

        /// Ends a read of users that meet a condition; returns whether it is outdated.
        func end(_ query: Woken, _ condition: StorePredicate? = nil) throws -> Bool {
            let users = try #require(dal.schema.position(of: User.self))
            return dal.coordinator.main.observers.endRead(
                query, start, [ReadDependency(entity: users, predicate: condition)], of: dal)
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

    /// The thread that commits compares the rows with the queries, and encodes just what these look at.
    @Test func `a commit outdates a read that looks at other columns than the queries so far`()
        async throws
    {
        try await withNotes { dal in
            let user = try await dal.write { try User.add(in: $0) { $0.age = 1 }.id }
            let reads = Reads(of: dal)
            #expect(
                try !reads.end(reads.first, .comparison(.column(0), .equal, .value(.integer(99)))))
            try await dal.write { try User.find(user, in: $0)?.age = 2 }
            while !dal.coordinator.main.observers.isCaughtUp { await Task.yield() }
            #expect(reads.first.count.withLock { $0 } == 0)
            #expect(
                try reads.end(reads.second, .comparison(.column(4), .equal, .value(.integer(2)))))
        }
    }

    @Test func `the thread that commits compares no rows without the values that queries look at`()
        async throws
    {
        try await withNotes { dal in
            let notifier = dal.coordinator.main.observers
            let users = try #require(dal.schema.position(of: User.self))
            let query = Woken()
            let start = notifier.beginRead(query)
            let condition = StorePredicate.comparison(.column(4), .equal, .value(.integer(2)))
            let dependency = ReadDependency(entity: users, predicate: condition)
            #expect(!notifier.endRead(query, start, [dependency], of: dal))
            var (old, new) = (User(id: 1), User(id: 1))
            (old.age, new.age) = (1, 2)
            var changes = ObjectChanges<User>(entity: users, upTo: 1)
            changes.update([4], from: old, to: new)
            var record = ChangeRecord(touched: EntityMask(entity: users))
            record.add([changes])
            let batch = CommittedBatch(
                number: start + 1, version: nil, records: [record], feeds: [], incompleteFeeds: [],
                unrecorded: [])
            var columns = dal.schema.entities.map { _ in ColumnSet() }
            #expect(!notifier.live.committedAtOnce(batch, comparing: columns))
            #expect(query.count.withLock { $0 } == 0)
            columns[users] = [4]
            #expect(notifier.live.committedAtOnce(batch, comparing: columns))
            #expect(query.count.withLock { $0 } == 1)
        }
    }

    @Test(arguments: [1, 2, 3, 5, 40])
    func `a commit wakes each of the queries that it matters to, however many they are`(
        _ count: Int
    ) async throws {
        try await withNotes { dal in
            let user = try await dal.write { try User.add(in: $0).id }
            let notifier = dal.coordinator.main.observers
            let users = try #require(dal.schema.position(of: User.self))
            let queries = (0..<count).map { _ in Woken() }
            // With a condition, the thread that commits decides by the rows.
            let condition = StorePredicate.comparison(.column(4), .greater, .value(.integer(0)))
            let dependency = ReadDependency(entity: users, predicate: condition)
            for query in queries {
                let start = notifier.beginRead(query)
                #expect(!notifier.endRead(query, start, [dependency], of: dal))
            }
            for write in 1...3 {
                try await dal.write { try User.find(user, in: $0)?.age = write }
                while !notifier.isCaughtUp { await Task.yield() }
                #expect(queries.map { $0.count.withLock { $0 } } == queries.map { _ in write })
            }
        }
    }

    @Test(arguments: [nil, StorePredicate.comparison(.column(0), .greater, .value(.integer(0)))])
    func `a query is woken for what its last read depends on, and nothing else`(
        _ condition: StorePredicate?
    ) async throws {
        try await withNotes { dal in
            let notifier = dal.coordinator.main.observers
            let users = try #require(dal.schema.position(of: User.self))
            let companies = try #require(dal.schema.position(of: Company.self))
            let query = Woken()
            let writes: [@Sendable (WriteContext) throws -> Void] = [
                { try User.add(in: $0) },
                { context in
                    let count = try Company.count(in: context)
                    try Company.create(in: context) { $0.name = "\(count)" }
                },
            ]
            var expected = 0
            for entities in [[users, companies], [companies], [users], [users, companies]] {
                let start = notifier.beginRead(query)
                #expect(
                    !notifier.endRead(
                        query, start,
                        Set(entities.map { ReadDependency(entity: $0, predicate: condition) }),
                        of: dal))
                for (entity, write) in zip([users, companies], writes) {
                    try await dal.write(write)
                    while !notifier.isCaughtUp { await Task.yield() }
                    if entities.contains(entity) { expected += 1 }
                    #expect(query.count.withLock { $0 } == expected)
                }
            }
        }
    }
}
