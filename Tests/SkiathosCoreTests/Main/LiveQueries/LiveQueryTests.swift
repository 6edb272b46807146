import Skiathos
import SkiathosStore
import TestSupport
import Testing

@testable import SkiathosCore

/// What wakes an observed query, and what its observers share.
@Suite(.generousTimeLimit) struct LiveQueryTests {
    @Test func `a change of rows that the query does not select causes no read`() async throws {
        try await withNotes { dal in
            let reads = Log<Void>()
            let id = try await dal.write { context in
                try User.add(in: context) { $0.age = 8 }.id
            }
            var adults = dal.observe { context in
                reads.note(())
                return try User.all(where: { $0.age >= 18 }, in: context).map(\.age)
            }.makeAsyncIterator()
            #expect(try await adults.next() == [])
            for age in 9...12 { try await dal.write { try User.find(id, in: $0)?.age = age } }
            try await dal.write { try User.find(id, in: $0)?.age = 20 }
            #expect(try await adults.next() == [20])
            try await dal.write { try User.find(id, in: $0)?.age = 3 }
            #expect(try await adults.next() == [])
            #expect(reads.entries.count == 3)
        }
    }

    @Test func `a count is not read again when its rows change other columns`() async throws {
        try await withNotes { dal in
            let reads = Log<Void>()
            let id = try await dal.write { context in
                try User.add(in: context) { $0.age = 20 }.id
            }
            var adults = dal.observe { context in
                reads.note(())
                return try User.count(where: { $0.age >= 18 }, in: context)
            }.makeAsyncIterator()
            #expect(try await adults.next() == 1)
            for score in 1...4 {
                try await dal.write { try User.find(id, in: $0)?.score = Double(score) }
            }
            try await dal.write { try User.find(id, in: $0)?.delete() }
            #expect(try await adults.next() == 0)
            #expect(reads.entries.count == 2)
        }
    }

    @Test(arguments: Place.allCases)
    func `a change by condition wakes only the queries whose rows it has changed`(
        _ place: Place
    ) async throws {
        try await withNotes(place) { dal in
            let reads = Log<String>()
            let (id, company) = try await dal.write { context in
                let company = try Company.create(in: context) { $0.name = "A" }.id
                for age in 1...5 { try User.add(in: context) { $0.age = age } }
                let user = try User.add(in: context) {
                    $0.age = 40
                    $0.firstname = "Ada"
                }
                return (user.id, company)
            }
            let queries: [(String, @Sendable (ReadContext) throws -> [User])] = [
                ("ID", { try User.find(id, in: $0).map { [$0] } ?? [] }),
                ("equality", { try User.all(where: { $0.firstname == "Ada" }, in: $0) }),
                ("range", { try User.all(where: { $0.age >= 30 && $0.age < 50 }, in: $0) }),
                ("prefix", { try User.all(where: { $0.firstname.hasPrefix("Ad") }, in: $0) }),
            ]
            var observers = queries.map { name, read in
                dal.observe { context in
                    reads.note(name)
                    return try read(context)
                }.makeAsyncIterator()
            }
            for index in observers.indices {
                #expect(try await observers[index].next()?.map(\.id) == [id])
            }
            #expect(reads.entries.count == queries.count)
            let writes: [@Sendable (WriteContext) throws -> Void] = [
                { try User.update(where: { $0.age < 10 }, set: { [$0.score.set(to: 3)] }, in: $0) },
                { try User.update(where: { $0.age == 1 }, set: { [$0.age.set(to: 6)] }, in: $0) },
                { context in
                    try User.update(
                        where: { $0.age < 4 }, set: { [$0.company.set(to: company)] }, in: context)
                },
                // The users lose their company.
                { try Company.find(company, in: $0)?.delete() },
                { try User.deleteAll(where: { $0.age == 2 }, in: $0) },
                // It has these values already.
                { try User.update(set: { [$0.role.set(to: .guest)] }, in: $0) },
            ]
            for write in writes { try await dal.write(write) }
            try await dal.write {
                try User.update(where: { $0.id == id }, set: { [$0.score.set(to: 1)] }, in: $0)
            }
            for index in observers.indices {
                #expect(try await observers[index].next()?.map(\.score) == [1])
            }
            #expect(reads.entries.count == 2 * queries.count, "\(reads.entries)")
        }
    }

    @Test func `a query of all rows is read again only if any row has changed`() async throws {
        try await withNotes { dal in
            let reads = Log<Void>()
            let company = try await dal.write { context in
                try User.add(in: context) { $0.age = 40 }
                return try Company.create(in: context).id
            }
            var ages = dal.observe { context in
                reads.note(())
                return try User.all(in: context).map(\.age)
            }.makeAsyncIterator()
            #expect(try await ages.next() == [40])
            try await dal.write { try User.update(set: { [$0.age.set(to: 40)] }, in: $0) }
            // No user has it.
            try await dal.write { try Company.find(company, in: $0)?.delete() }
            try await dal.write { try User.update(set: { [$0.age.set(to: 41)] }, in: $0) }
            #expect(try await ages.next() == [41])
            #expect(reads.entries.count == 2)
        }
    }

    @Test func `observers of equal queries share one read`() async throws {
        try await withNotes { dal in
            let main = dal.coordinator.main
            var observers = (0..<10).map { _ in
                dal.observe(User.where { $0.age >= 18 }).makeAsyncIterator()
            }
            for index in observers.indices { #expect(try await observers[index].next() == []) }
            #expect(main.observerCount == 1)
            let user = try await dal.write { context in
                try User.add(in: context) { $0.age = 18 }.value
            }
            for index in observers.indices { #expect(try await observers[index].next() == [user]) }
            observers = []
            #expect(main.observerCount == 0)
        }
    }

    @Test func `a first value contains what was written before, though observers share it`()
        async throws
    {
        try await withNotes { dal in
            let query = User.order { $0.age }
            var early = dal.observe(query).makeAsyncIterator()
            #expect(try await early.next() == [])
            for count in 1...50 {
                try await dal.write { context in try User.add(in: context) { $0.age = count } }
                var late = dal.observe(query).makeAsyncIterator()
                #expect(try await late.next()?.count == count)
            }
            #expect(try await early.next()?.count == 50)
        }
    }

    @Test func `a row is observed until it is deleted`() async throws {
        try await withNotes { dal in
            let id = try await dal.write { try User.add(in: $0).id }
            let other = try await dal.write { try User.add(in: $0).id }
            var values = dal.observe(id).makeAsyncIterator()
            var existing = dal.observe(id).untilDeleted().makeAsyncIterator()
            #expect(try await values.next() != nil)
            #expect(try await existing.next()?.age == 0)
            try await dal.write { try User.find(other, in: $0)?.age = 1 }
            try await dal.write { try User.find(id, in: $0)?.age = 2 }
            #expect(try await values.next()??.age == 2)
            #expect(try await existing.next()?.age == 2)
            try await dal.write { try User.find(id, in: $0)?.delete() }
            let deleted: User?? = try await values.next()
            #expect(deleted == .some(nil))
            #expect(try await existing.next() == nil)
            #expect(try await existing.next() == nil)
            try await dal.write { context in
                try User.create(id: id, in: context) { $0.age = 3 }
            }
            #expect(try await values.next()??.age == 3)
        }
    }

    @Test(arguments: Place.allCases)
    func `the results of a group belong to one version`(_ place: Place) async throws {
        try await withNotes(place) { dal in
            let ids = try await dal.write { context in
                try (0..<10).map { _ in try User.add(in: context).id }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        let values = dal.observe(
                            User.where { $0.age < 50 }, User.where { $0.age >= 50 })
                        for try await (young, old) in values {
                            #expect(young.count + old.count == 10)
                            if old.count == 10 { return }
                        }
                    }
                }
                group.addTask {
                    for round in 0..<10 {
                        for id in ids {
                            let age = (round + Int(id.rawValue)) % 2 == 0 ? 20 : 70
                            try await dal.write { try User.find(id, in: $0)?.age = age }
                        }
                    }
                    try await dal.write { context in
                        for id in ids { try User.find(id, in: context)?.age = 99 }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func `a group of four queries wakes for each of them and for nothing else`() async throws
    {
        try await withNotes { dal in
            var groups = dal.observe(
                User.where { $0.age < 10 }, User.where { $0.age >= 90 },
                User.where { $0.age == 50 },
                Note.query
            ).makeAsyncIterator()
            func next() async throws -> [Int] {
                let (young, old, middle, notes) = try #require(try await groups.next())
                return [young.count, old.count, middle.count, notes.count]
            }
            #expect(try await next() == [0, 0, 0, 0])
            try await dal.write { try User.add(in: $0) { $0.age = 1 } }
            #expect(try await next() == [1, 0, 0, 0])
            try await dal.write { try User.add(in: $0) { $0.age = 99 } }
            #expect(try await next() == [1, 1, 0, 0])
            // In none of the queries, so no value comes for it.
            try await dal.write { try User.add(in: $0) { $0.age = 30 } }
            try await dal.write { try User.add(in: $0) { $0.age = 50 } }
            #expect(try await next() == [1, 1, 1, 0])
            try await dal.write { try Note.create(in: $0) }
            #expect(try await next() == [1, 1, 1, 1])
        }
    }

    @Test func `an interval between values ends with the last one`() async throws {
        try await withNotes { dal in
            var counts = dal.observe(atMostEvery: .milliseconds(20)) { try User.count(in: $0) }
                .makeAsyncIterator()
            let start = ContinuousClock.now
            #expect(try await counts.next() == 0)
            for _ in 0..<10 { try await dal.write { try User.add(in: $0) } }
            #expect(try await counts.next() == 10)
            #expect(ContinuousClock.now - start >= .milliseconds(20))
        }
    }

    @Test func `closing and cancelling end an interval`() async throws {
        try await withNotes { dal in
            let waiting = [Event(), Event()]
            let tasks = waiting.map { isWaiting in
                Task {
                    for try await _ in dal.observe(
                        atMostEvery: .seconds(3_600), { try User.count(in: $0) })
                    {
                        isWaiting.happen()
                    }
                }
            }
            for isWaiting in waiting { await isWaiting.wait() }
            tasks[0].cancel()
            try await tasks[0].value
            try await dal.close()
            try await tasks[1].value
        }
    }

    @Test func `an observer that was slow gets no value twice, though others had one in between`()
        async throws
    {
        try await withNotes { dal in
            let id = try await dal.write { try User.add(in: $0) { $0.age = 1 }.id }
            func setAge(_ age: Int) async throws {
                try await dal.write { try User.find(id, in: $0)?.age = age }
            }
            var quick = dal.observe(User.query).makeAsyncIterator()
            #expect(try await quick.next()?.map(\.age) == [1])
            let hasBegun = Event()
            let isBack = Event()
            let slow = Task {
                var ages: [[Int]] = []
                for try await users in dal.observe(User.query) {
                    ages.append(users.map(\.age))
                    hasBegun.happen()
                    if ages.count == 1 { await isBack.wait() }
                    if ages.last == [3] { break }
                }
                return ages
            }
            await hasBegun.wait()
            for age in [2, 1] {
                try await setAge(age)
                #expect(try await quick.next()?.map(\.age) == [age])
            }
            isBack.happen()
            // Mostly the slow one looks before the last write.
            for _ in 0..<1_000 { await Task.yield() }
            try await setAge(3)
            #expect(try await slow.value == [[1], [3]])
        }
    }

    @Test func `a reader that is cancelled hands its read on`() async throws {
        try await withNotes { dal in
            let query = User.query
            let tasks = (0..<20).map { _ in
                Task {
                    var last = -1
                    for try await users in dal.observe(query) {
                        last = users.count
                        if last == 30 { break }
                    }
                    return last
                }
            }
            for count in 1...30 {
                try await dal.write { try User.add(in: $0) }
                if count % 3 == 0 { tasks[count / 3].cancel() }
            }
            for (number, task) in tasks.enumerated() {
                let last = try await task.value
                if number == 0 || number > 10 { #expect(last == 30) }
            }
            #expect(dal.coordinator.main.observerCount == 0)
        }
    }
}
