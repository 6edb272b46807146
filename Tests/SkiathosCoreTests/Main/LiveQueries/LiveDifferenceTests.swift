import Skiathos
import SkiathosStore
import TestSupport
import Testing

@testable import SkiathosCore

/// Applying the differences of an observed query gives the result of a fresh one.
@Suite(.generousTimeLimit) struct LiveDifferenceTests {
    @Test(arguments: Place.allCases, Seed.each(1, 2, 3, 4, 5, 6, 7, 8))
    func `differences follow a random history`(_ place: Place, _ seed: UInt64) async throws {
        try await withSeed(seed) {
            var configuration = Configuration.patient
            configuration.errorHandler = { _ in }
            try await withNotes(place, configuration: configuration) { dal in
                var generator = SeededNumbers(seed: seed)
                var writes = RandomWrites(seed: seed &+ 1)
                let queries: [Query<User>] = [
                    User.order { $0.age },
                    User.where { $0.age >= 2 && $0.firstname != "a" }
                        .order { [$0.firstname.descending, $0.age.ascending] },
                    User.where { $0.company.name == "b" }.order { $0.age },
                    User.order { $0.age.descending }.limit(4),
                    User.where { $0.email != nil }.order { $0.email },
                ]
                var iterators = queries.map { dal.observe($0).differences.makeAsyncIterator() }
                var lists: [[User]] = queries.map { _ in [] }
                for index in queries.indices {
                    try await iterators[index].next()?.apply(to: &lists[index])
                }
                for _ in 0..<40 {
                    try await writes.run(on: dal, count: Int.random(in: 1...3, using: &generator))
                    try await dal.flush(to: .committed)
                    for index in queries.indices
                    where Int.random(in: 0..<4, using: &generator) > 0 {
                        let expected = try await dal.read { [query = queries[index]] in
                            try query.all(in: $0)
                        }
                        while lists[index] != expected {
                            let difference = try #require(try await iterators[index].next())
                            #expect(!difference.isEmpty)
                            difference.apply(to: &lists[index])
                        }
                    }
                }
            }
        }
    }

    @Test func `a list is not read again when rows of it change`() async throws {
        try await withNotes { dal in
            let ids = try await dal.write { context in
                try (0..<20).map { age in try User.add(in: context) { $0.age = age }.id }
            }
            let query = User.where { $0.age < 100 }.order { $0.age }
            var list: [User] = []
            var differences = dal.observe(query).differences.makeAsyncIterator()
            let first = try #require(try await differences.next())
            #expect(first.oldCount == 0)
            #expect(first.inserted.map(\.index) == Array(0..<20))
            first.apply(to: &list)
            try await dal.write { try User.find(ids[0], in: $0)?.age = 50 }
            let moved = try #require(try await differences.next())
            #expect(moved.moved.map(\.from) == [0])
            #expect(moved.moved.map(\.to) == [19])
            #expect(moved.updated.map(\.element.age) == [50])
            #expect(moved.inserted.isEmpty && moved.removed.isEmpty)
            moved.apply(to: &list)
            try await dal.write { try User.find(ids[3], in: $0)?.age = 200 }
            let removed = try #require(try await differences.next())
            #expect(removed.removed.map(\.id) == [ids[3]])
            removed.apply(to: &list)
            let all = try await dal.read { try query.all(in: $0) }
            #expect(list == all)
        }
    }

    /// Notifications come later than reads, which may have seen the batch.
    @Test func `a batch that the list has been read with changes nothing`() async throws {
        try await withNotes { dal in
            let coordinator = dal.coordinator
            let notifier = coordinator.main.observers
            let user = try await dal.write { context in
                try User.add(in: context) { $0.age = 1 }.value
            }
            let list = notifier.live.join(nil) {
                LiveList(
                    coordinator, SourcePlace(file: #fileID, line: #line), User.order { $0.age })
            }
            guard case .list(let rows)? = try await list.next(isFirst: true) else {
                Issue.record("The first change is no list.")
                return
            }
            #expect(rows == [user])
            let entity = try #require(coordinator.store.schema.position(of: User.self))
            var old = user
            old.age = 7
            let change = SkiathosCore.ChangedRow(
                before: try user.storedValues(), after: try old.storedValues(), columns: [4])
            list.committed(
                BatchChanges(
                    number: 1, version: 0,
                    [.init(position: entity, columns: .all, rows: .known([change]))]))
            let other = try await dal.write { try User.add(in: $0).value }
            guard case .updates(let updates)? = try await list.next(isFirst: false) else {
                Issue.record("The change of a row is no update.")
                return
            }
            #expect(Array(updates.keys) == [other.id])
            notifier.live.leave(list, notifier)
        }
    }

    @Test func `an empty list has a first difference, and an end`() async throws {
        try await withNotes { dal in
            let task = Task {
                var counts: [Int] = []
                for try await difference in dal.observe(User.query).differences {
                    counts.append(difference.newCount)
                    if counts.count == 1 { try await dal.write { try User.add(in: $0) } }
                    if counts.count == 2 { Task { try await dal.close() } }
                }
                return counts
            }
            let counts = try await task.value
            #expect(counts == [0, 1])
            #expect(dal.coordinator.main.observerCount == 0)
            await #expect(throws: DataAccessError.self) {
                for try await _ in dal.observe(User.query).differences {}
            }
        }
    }

    @Test func `observers of differences beside writers end with the same list`() async throws {
        try await withNotes { dal in
            let ids = try await dal.write { context in
                try (0..<10).map { _ in try User.add(in: context).id }
            }
            let query = User.order { $0.age }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        var list: [User] = []
                        for try await difference in dal.observe(query).differences {
                            difference.apply(to: &list)
                            #expect(list.map(\.age) == list.map(\.age).sorted())
                            if list.allSatisfy({ $0.age >= 1_000 }) { return }
                        }
                    }
                }
                for writer in 0..<4 {
                    group.addTask {
                        for round in 0..<25 {
                            let level = Acknowledgement.allCases[writer % 3]
                            try await dal.write(acknowledging: level) { context in
                                let id = ids[(writer * 3 + round) % 10]
                                try User.find(id, in: context)?.age += 1
                            }
                        }
                        try await dal.write { context in
                            for id in ids where try User.find(id, in: context)?.age ?? 0 < 1_000 {
                                try User.find(id, in: context)?.age += 1_000
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
