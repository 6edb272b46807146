import Skiathos
import SkiathosLocks
import SkiathosStore
import Synchronization
import TestSupport
import Testing

@testable import SkiathosCore

/// When the list of an observed query, or an observed row, is computed from the changed rows, and when
/// it is read.
@Suite(.generousTimeLimit) struct ComputedListTests {
    /// What a write does to users of the ages 0 to 5, the last of whom is an owner.
    private enum Change: CaseIterable {
        case value, valueByCondition, place, entry, exit, insertion, deletion, otherEntity
    }

    @Test(arguments: Change.allCases)
    private func `a list with sort keys is not read again when rows of it change`(
        _ change: Change
    ) async throws {
        let reads = try await reads(
            of: User.where { $0.age < 10 }.order { $0.age.descending }, after: change)
        #expect(reads == 1)
    }

    @Test(arguments: Change.allCases)
    private func `a list without sort keys is read again when the order may be another`(
        _ change: Change
    ) async throws {
        let reads = try await reads(of: User.where { $0.age < 10 }, after: change)
        switch change {
        case .value, .valueByCondition, .exit, .deletion, .otherEntity: #expect(reads == 1)
        case .place, .entry, .insertion: #expect(reads == 2)
        }
    }

    @Test(arguments: [Change.value, .insertion, .deletion])
    private func `a list with a limit is read again when a row changes`(
        _ change: Change
    ) async throws {
        #expect(try await reads(of: User.order { $0.age }.limit(50), after: change) == 2)
        #expect(
            try await reads(
                of: User.where { $0.company.name == "x" || $0.age < 10 }.order { $0.age },
                after: change) == 2)
    }

    @Test func `a list is read after more changes than it keeps, and computed after that`()
        async throws
    {
        try await withNotes { dal in
            let reads = Log<Void>()
            let query = User.order { $0.age }
            var lists = observe(query, of: dal, reads).makeAsyncIterator()
            #expect(try await lists.next() == [])
            for count in 1...3 {
                let isLong = count == 2
                try await dal.write { context in
                    for age in 0..<(isLong ? 1_200 : 3) {
                        try User.add(in: context) { $0.age = age }
                    }
                }
                let expected = try await dal.read { try query.all(in: $0) }
                await observersAreNotified(dal)
                #expect(try await lists.next() == expected)
                #expect(reads.entries.count == (count == 1 ? 1 : 2))
            }
        }
    }

    @Test func `a read that fails leads to another one at the next change`() async throws {
        let failures = Log<Void>()
        var configuration = Configuration()
        configuration.errorHandler = { _ in failures.note(()) }
        try await withNotes(configuration: configuration) { dal in
            struct Refused: Error {}
            let isRefused = Lock(false)
            let reads = Log<Void>()
            let query = User.order { $0.age }
            let values = observe(query, of: dal, reads) {
                if isRefused.withLock({ $0 }) { throw Refused() }
            }
            let hasBegun = Event()
            let counts = Task {
                var counts: [Int] = []
                for try await list in values {
                    counts.append(list.count)
                    hasBegun.happen()
                    if counts.count == 2 { break }
                }
                return counts
            }
            await hasBegun.wait()
            // More than are kept, so that the list is read.
            isRefused.withLock { $0 = true }
            try await dal.write { context in
                for age in 0..<1_200 { try User.add(in: context) { $0.age = age } }
            }
            #expect(await happens { failures.entries.count == 1 })
            isRefused.withLock { $0 = false }
            try await dal.write { try User.add(in: $0) }
            #expect(try await counts.value == [0, 1_201])
            #expect(reads.entries.count == 3)
        }
    }

    @Test func `the store is not asked for a list that changes and is as before`() async throws {
        try await withNotes { dal in
            let reads = Log<Void>()
            let id = try await dal.write { try User.add(in: $0) { $0.age = 1 }.id }
            var lists = observe(User.order { $0.age }, of: dal, reads).makeAsyncIterator()
            #expect(try await lists.next()?.map(\.age) == [1])
            try await dal.write { try User.find(id, in: $0)?.age = 2 }
            try await dal.write { try User.find(id, in: $0)?.age = 1 }
            try await dal.write { try User.find(id, in: $0)?.score = 0 }
            try await dal.write { try User.find(id, in: $0)?.score = -0.0 }
            try await dal.write { try User.find(id, in: $0)?.age = 3 }
            await observersAreNotified(dal)
            #expect(try await lists.next()?.map(\.age) == [3])
            #expect(reads.entries.count == 1)
        }
    }

    @Test func `a number has the sign that the store gives it`() async throws {
        try await withNotes { dal in
            let reads = Log<Void>()
            let query = User.order { $0.score }
            let ids = try await dal.write { context in
                try [0.0, 1, 2].map { score in try User.add(in: context) { $0.score = score }.id }
            }
            var lists = observe(query, of: dal, reads).makeAsyncIterator()
            #expect(try await lists.next()?.count == 3)
            var differences = dal.observe(query).differences.makeAsyncIterator()
            let before = try #require(try await differences.next()).applied(to: [])
            try await dal.write { context in
                try User.find(ids[0], in: context)?.score = -0.0
                try User.find(ids[1], in: context)?.score = -0.0
            }
            let expected = try await dal.read { try query.all(in: $0) }
            await observersAreNotified(dal)
            let list = try #require(try await lists.next())
            #expect("\(list)" == "\(expected)")
            let difference = try #require(try await differences.next())
            #expect("\(difference.applied(to: before))" == "\(expected)")
            #expect(reads.entries.count == 1)
        }
    }

    @Test func `an observed row is read once, however it changes`() async throws {
        try await withNotes { dal in
            let reads = Log<Void>()
            let id = try await dal.write { try User.add(in: $0) { $0.age = 1 }.id }
            var rows = dal.row(
                with: id, key: nil, at: SourcePlace(file: #fileID, line: #line), pace: nil
            ) { context in
                reads.note(())
                return try User.find(id, in: context)
            }.makeAsyncIterator()
            #expect(try await rows.next()??.age == 1)
            let changes: [(expected: Int?, @Sendable (WriteContext) throws -> Void)] = [
                (2, { try User.find(id, in: $0)?.age = 2 }),
                (
                    3,
                    { context in
                        _ = try User.update(
                            where: { $0.age == 2 }, set: { [$0.age.set(to: 3)] }, in: context)
                    }
                ),
                (nil, { try User.find(id, in: $0)?.delete() }),
                (4, { context in _ = try User.create(id: id, in: context) { $0.age = 4 } }),
                (
                    5,
                    { context in
                        try User.find(id, in: context)?.delete()
                        _ = try User.count(in: context)
                        try User.create(id: id, in: context) { $0.age = 5 }
                    }
                ),
            ]
            for (expected, change) in changes {
                try await dal.write { context in
                    // As it is, which is no change, and another row.
                    let user = try User.find(id, in: context)
                    user?.age = user?.age ?? 0
                    try User.add(in: context)
                }
                try await dal.write { try change($0) }
                await observersAreNotified(dal)
                let row = try await rows.next()
                #expect(row != nil && row??.age == expected)
                let stored = try await dal.read { try User.find(id, in: $0) }
                #expect(row == .some(stored))
            }
            #expect(reads.entries.count == 1)
        }
    }

    /// Waits until observers were notified of all commits: a list that has to contain one that they
    /// were not notified of is read.
    private func observersAreNotified(_ dal: DataAccessLayer) async {
        #expect(await happens { dal.coordinator.main.observers.isCaughtUp })
    }

    /// The values, of which each read is noted.
    private func observe(
        _ query: Query<User>, of dal: DataAccessLayer, _ reads: Log<Void>,
        _ check: @escaping @Sendable () throws -> Void = {}
    ) -> ObservedValues<[User]> {
        dal.values(
            of: query, key: nil, at: SourcePlace(file: #fileID, line: #line), pace: nil
        ) { context in
            reads.note(())
            try check()
            return try query.all(in: context)
        }
    }

    /// How often a query is read until its value after a change is known to be that of a fresh read.
    private func reads(of query: Query<User>, after change: Change) async throws -> Int {
        let reads = Log<Void>()
        try await withNotes { dal in
            let (ids, company) = try await dal.write { context in
                let ids = try [3, 1, 1, 20, 2, 5].map { age in
                    try User.add(in: context) { $0.age = age }.id
                }
                return (ids, try Company.create(in: context) { $0.name = "A" }.id)
            }
            var lists = observe(query, of: dal, reads).makeAsyncIterator()
            let first = try await lists.next()
            #expect(first?.count == 5 || query.rowLimit != nil)
            try await dal.write { context in
                let user = try User.find(ids[1], in: context)
                switch change {
                case .value: user?.score = 3
                case .valueByCondition:
                    _ = try User.update(
                        where: { $0.age == 1 }, set: { [$0.score.set(to: 2)] }, in: context)
                case .place: user?.age = 9
                case .entry: try User.find(ids[3], in: context)?.age = 2
                case .exit: user?.age = 30
                case .insertion: try User.add(in: context) { $0.age = 4 }
                case .deletion: try user?.delete()
                case .otherEntity: try Company.find(company, in: context)?.name = "B"
                }
            }
            let expected = try await dal.read { try query.all(in: $0) }
            await observersAreNotified(dal)
            if expected != first {
                #expect(try await lists.next() == expected)
            } else {
                #expect(change == .otherEntity)
            }
        }
        return reads.entries.count
    }
}
