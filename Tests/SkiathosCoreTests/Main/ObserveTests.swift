import Skiathos
import SkiathosLocks
import SkiathosStore
import Synchronization
import TestSupport
import Testing

@testable import SkiathosCore

@Suite(.generousTimeLimit) struct ObserveTests {
    private struct Refused: Error {}

    @Test(arguments: Place.allCases)
    func `an observation gives the present state first, then one after each commit that changed it`(
        _ place: Place
    ) async throws {
        try await withNotes(place) { dal in
            try await dal.write { context in try User.add(in: context) { $0.age = 20 } }
            let adults = dal.observe { context in
                try User.count(where: { $0.age >= 18 }, in: context)
            }
            var iterator = adults.makeAsyncIterator()
            #expect(try await iterator.next() == 1)
            for count in 2...4 {
                // A child is a change of users, but not of the value.
                try await dal.write { context in try User.add(in: context) { $0.age = 8 } }
                try await dal.write { context in try User.add(in: context) { $0.age = 30 } }
                #expect(try await iterator.next() == count)
            }
            try await dal.write { try User.deleteAll(in: $0) }
            #expect(try await iterator.next() == 0)
            try await dal.write { context in try User.add(in: context) { $0.age = 18 } }
            #expect(try await iterator.next() == 1)
            try await dal.reset()
            #expect(try await iterator.next() == 0)
        }
    }

    @Test(arguments: Place.allCases)
    func `commits that touch nothing that was read cause no read`(_ place: Place) async throws {
        try await withNotes(place) { dal in
            let reads = Log<Void>()
            let counts = dal.observe { context in
                reads.note(())
                return try User.count(in: context)
            }
            var iterator = counts.makeAsyncIterator()
            #expect(try await iterator.next() == 0)
            for _ in 0..<5 {
                try await dal.write { context in
                    try Note.create(in: context)
                    _ = try User.count(in: context)
                }
                try await dal.write { try Note.deleteAll(in: $0) }
                try await dal.write { context in try User.find(99, in: context)?.age = 1 }
            }
            try await dal.write { try User.add(in: $0) }
            #expect(try await iterator.next() == 1)
            #expect(reads.entries.count == 2)
        }
    }

    @Test func `values that cannot be compared come after each commit that touched what was read`()
        async throws
    {
        struct Count: Sendable {
            let count: Int
        }
        try await withNotes { dal in
            let counts = dal.observe { Count(count: try Note.all(in: $0).count) }
            var iterator = counts.makeAsyncIterator()
            #expect(try await iterator.next()?.count == 0)
            try await dal.write { try User.add(in: $0) }
            let id = try await dal.write { try Note.create(in: $0).id }
            #expect(try await iterator.next()?.count == 1)
            try await dal.write { try Note.find(id, in: $0)?.rating = 1 }
            #expect(try await iterator.next()?.count == 1)
        }
    }

    @Test func `every kind of query counts as reading its entity`() async throws {
        let queries: [@Sendable (ReadContext) throws -> String] = [
            { "\(try User.all(in: $0))" },
            { "\(try User.find(1, in: $0)?.age ?? 0)" },
            { "\(try User.find([1, 2], in: $0).found)" },
            { "\(try User.first(in: $0)?.age ?? 0)" },
            { "\(try User.exists(where: { $0.age == 2 }, in: $0))" },
            { "\(try User.ids(where: { $0.age == 2 }, in: $0))" },
        ]
        for query in queries {
            try await withNotes(.memory) { dal in
                let id = try await dal.write { try User.add(in: $0).id }
                var iterator = dal.observe(query).makeAsyncIterator()
                let before = try await iterator.next()
                try await dal.write { try User.find(id, in: $0)?.age = 2 }
                let after = try await iterator.next()
                #expect(before != after)
            }
        }
    }

    @Test func `an observation follows what a later read looks at`() async throws {
        try await withNotes { dal in
            let reads = Log<Void>()
            let values = dal.observe { context -> [Int] in
                reads.note(())
                let users = try User.count(in: context)
                return users == 0 ? [users] : [users, try Note.count(in: context)]
            }
            var iterator = values.makeAsyncIterator()
            #expect(try await iterator.next() == [0])
            try await dal.write { try Note.create(in: $0) }
            try await dal.write { try User.add(in: $0) }
            #expect(try await iterator.next() == [1, 1])
            #expect(reads.entries.count == 2)
            try await dal.write { try Note.create(in: $0) }
            #expect(try await iterator.next() == [1, 2])
        }
    }

    @Test func `delete rules count as changes of the rows that refer`() async throws {
        try await withNotes { dal in
            let company = try await dal.write { context in
                let company = try Company.create(in: context) { $0.name = "Engines" }
                try User.add(in: context) { $0.company = company.id }
                return company.id
            }
            let employed = dal.observe { try User.count(where: { $0.company != nil }, in: $0) }
            var iterator = employed.makeAsyncIterator()
            #expect(try await iterator.next() == 1)
            try await dal.write { try Company.find(company, in: $0)?.delete() }
            #expect(try await iterator.next() == 0)
        }
    }

    @Test(arguments: Place.allCases)
    func `commits that come while no loop waits are one change`(_ place: Place) async throws {
        try await withNotes(place) { dal in
            let reads = Log<Void>()
            let counts = dal.observe { context in
                reads.note(())
                return try User.count(in: context)
            }
            var iterator = counts.makeAsyncIterator()
            #expect(try await iterator.next() == 0)
            for _ in 0..<50 { try await dal.write { try User.add(in: $0) } }
            #expect(try await iterator.next() == 50)
            #expect(reads.entries.count == 2)
        }
    }

    @Test(arguments: Place.allCases, Acknowledgement.allCases)
    func `observers beside writers see the last state, and never go back`(
        _ place: Place, _ level: Acknowledgement
    ) async throws {
        try await withNotes(place) { dal in
            let writers = 4
            let writes = 25
            let id = try await dal.write { try User.add(in: $0).id }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        var last = -1
                        for try await age in dal.observe({ try User.find(id, in: $0)?.age ?? -1 }) {
                            #expect(age > last)
                            last = age
                            if age == writers * writes { return }
                        }
                        Issue.record("The sequence has ended at \(last).")
                    }
                }
                for number in 0..<writers {
                    group.addTask {
                        for _ in 0..<writes {
                            try await dal.write(acknowledging: level) { context in
                                try User.find(id, in: context)?.age += 1
                                // Some have a transaction of their own.
                                if number == 0 { _ = try User.count(in: context) }
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    /// The batch was merged before the observation began, and is committed afterwards.
    @Test func `a batch that was open when the observation began is noticed`() async throws {
        try await withNotes(configuration: .patient) { dal in
            let task = Log<Task<Void, any Error>>()
            var iterator = dal.observe { try User.count(in: $0) }.makeAsyncIterator()
            let door = Door()
            try await dal.whileAWriteIsUnderWay {
                // It leaves the commit to the one behind it.
                task.note(Task { try await dal.write { try User.add(in: $0) } })
                await dal.waitForWriters(1)
                task.note(
                    Task {
                        try await onThread { _ = try dal.write { _ in door.pass() } }
                    })
                await dal.waitForWriters(2)
            }
            while !dal.coordinator.rootWriter.commits.hasBatch { await Task.yield() }
            #expect(try await iterator.next() == 0)
            door.open()
            try await dal.flush(to: .committed)
            #expect(try await iterator.next() == 1)
            for task in task.entries { try await task.value }
        }
    }

    @Test func `an observation corrects what reads saw of lost writes`() async throws {
        var configuration = Configuration.patient
        configuration.errorHandler = { _ in }
        try await withFailingStore(configuration: configuration) { dal, control in
            let counts = Log<Int>()
            let task = Task {
                for try await count in dal.observe({ try User.count(in: $0) }) {
                    counts.note(count)
                }
            }
            while counts.entries.isEmpty { await Task.yield() }
            try await dal.write { try User.add(in: $0) }
            while counts.entries.last != 1 { await Task.yield() }
            try await dal.write(acknowledging: .merged) { try User.add(in: $0) }
            control.refuseCommits(true)
            await #expect(throws: StoreError.self) { try await dal.flush() }
            control.refuseCommits(false)
            try await dal.write { try User.deleteAll(in: $0) }
            while counts.entries.last != 0 { await Task.yield() }
            task.cancel()
            try await task.value
        }
    }

    @Test func `writes that were rolled back cause no read`() async throws {
        try await withNotes { dal in
            let reads = Log<Void>()
            let counts = dal.observe { context in
                reads.note(())
                return try User.count(in: context)
            }
            var iterator = counts.makeAsyncIterator()
            #expect(try await iterator.next() == 0)
            await #expect(throws: Refused.self) {
                try await dal.write { context in
                    try User.add(in: context)
                    _ = try User.count(in: context)
                    throw Refused()
                }
            }
            try await dal.write { context in
                try Note.create(in: context)
                try? context.nested { context in
                    try User.add(in: context)
                    throw Refused()
                }
            }
            try await dal.write { try User.add(in: $0) }
            #expect(try await iterator.next() == 1)
            #expect(reads.entries.count == 2)
        }
    }

    @Test func `no record is kept while there is no observer`() async throws {
        let dal = try await DataAccessLayer.open(
            .inMemory, entities: User.self, Company.self, configuration: .patient)
        let main = dal.coordinator.main
        #expect(main.interest.entities.isEmpty)
        try await dal.write { context in
            try User.add(in: context)
            _ = try User.count(in: context)
            #expect(context.journal.record.steps.isEmpty)
        }
        try await dal.close()
    }

    @Test @MainActor func `a loop may run on an actor`() async throws {
        let dal = try await DataAccessLayer.open(.inMemory, entities: User.self, Company.self)
        var seen: [Int] = []
        for try await count in dal.observe({ try User.count(in: $0) }) {
            seen.append(count)
            if count == 3 { break }
            try await dal.write { try User.add(in: $0) }
        }
        #expect(seen == [0, 1, 2, 3])
        try await dal.close()
    }
}
