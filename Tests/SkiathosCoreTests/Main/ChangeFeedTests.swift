import Skiathos
import TestSupport
import Testing

@testable import SkiathosCore

@Suite(.generousTimeLimit) struct ChangeFeedTests {
    private struct Refused: Error {}
    private typealias Event = ChangeFeed<User>.Event

    @Test(arguments: Place.allCases)
    func `a feed has a changeset for each committed write since the call`(
        _ place: Place
    ) async throws {
        try await withNotes(place) { dal in
            let old = try await dal.write { try User.add(in: $0).id }
            let feed = dal.changes(of: User.self)
            let new = try await dal.write { context in
                let new = try User.add(in: context)
                try User.find(old, in: context)?.age = 1
                return new.id
            }
            try await dal.write { try Note.create(in: $0) }
            try await dal.write { context in
                try User.find(old, in: context)?.delete()
                try User.find(new, in: context)?.email = "a@b.c"
                _ = try User.count(in: context)
                try User.find(new, in: context)?.age = 2
            }
            var iterator = feed.makeAsyncIterator()
            let first = try #require(try await iterator.nextChanges())
            #expect(first.inserted == [new])
            #expect(first.updated.map(\.id) == [old])
            #expect(first.updated.map(\.columns) == [["age"]])
            #expect(first.deleted == [])
            #expect(first.isComplete)
            let second = try #require(try await iterator.nextChanges())
            #expect(second.inserted == [])
            #expect(second.updated.map(\.id) == [new])
            #expect(second.updated.map(\.columns) == [["email", "age"]])
            #expect(second.deleted == [old])
        }
    }

    @Test(arguments: Place.allCases)
    func `a changeset has the rows before and after the write`(_ place: Place) async throws {
        try await withNotes(place) { dal in
            let (changed, gone) = try await dal.write { context in
                (
                    try User.add(in: context) { $0.age = 1 }.value,
                    try User.add(in: context) { $0.age = 2 }.value
                )
            }
            let feed = dal.changes(of: User.self)
            let new = try await dal.write { context in
                try User.find(changed.id, in: context)?.age = 5
                _ = try User.count(in: context)
                try User.find(changed.id, in: context)?.age = 6
                try User.find(gone.id, in: context)?.age = 7
                try User.find(gone.id, in: context)?.delete()
                return try User.add(in: context) { $0.age = 3 }.value
            }
            var iterator = feed.makeAsyncIterator()
            let changes = try #require(try await iterator.nextChanges())
            #expect(changes.before(changed.id) == changed)
            #expect(changes.after(changed.id)?.age == 6)
            #expect(changes.before(gone.id) == gone)
            #expect(changes.after(gone.id) == nil)
            #expect(changes.before(new.id) == nil)
            #expect(changes.after(new.id) == new)
            #expect(changes.after(999) == nil)
        }
    }

    /// The flush that makes it again deletes another one, or does not.
    @Test(arguments: Place.allCases, [false, true])
    func `a row that is deleted and made again in one write counts as updated`(
        _ place: Place, _ deletesAnother: Bool
    ) async throws {
        try await withNotes(place) { dal in
            let (user, other) = try await dal.write { context in
                (try User.add(in: context).value, try User.add(in: context).id)
            }
            let feed = dal.changes(of: User.self)
            try await dal.write { context in
                try User.find(user.id, in: context)?.delete()
                _ = try User.count(in: context)
                if deletesAnother { try User.find(other, in: context)?.delete() }
                try User.create(id: user.id, in: context) { new in
                    new = user
                    new.age = 5
                }
            }
            var iterator = feed.makeAsyncIterator()
            let changes = try #require(try await iterator.nextChanges())
            #expect(changes.updated.map(\.id) == [user.id])
            #expect(changes.updated.map(\.columns) == [["age"]])
            #expect(changes.before(user.id) == user)
            #expect(changes.after(user.id)?.age == 5)
            #expect(changes.inserted == [])
            #expect(changes.deleted == (deletesAnother ? [other] : []))
        }
    }

    /// Other queries of the write have seen it with other values.
    @Test(arguments: Place.allCases)
    func `a row that a write leaves as it was is not changed by it, and else in what differs`(
        _ place: Place
    ) async throws {
        try await withNotes(place) { dal in
            var user = try await dal.write { context in
                try User.add(in: context) { $0.age = 7 }.value
            }
            var feed = dal.changes(of: User.self).makeAsyncIterator()
            for (number, detour) in Self.detours.enumerated() {
                let before = user
                try await dal.write { try detour($0, before) }
                try await dal.write { context in
                    try detour(context, before)
                    try User.find(before.id, in: context)?.score += 1
                }
                let changes = try #require(try await feed.nextChanges())
                #expect(changes.isComplete)
                #expect(changes.updated.map(\.id) == [before.id], "\(number)")
                #expect(changes.updated.map(\.columns) == [["score"]], "\(number)")
                #expect(changes.inserted == [] && changes.deleted == [], "\(number)")
                #expect(changes.before(before.id) == before, "\(number)")
                user = try #require(changes.after(before.id))
                #expect(user.score == before.score + 1, "\(number)")
            }
        }
    }

    /// Writes that change a user, and change it back.
    private static let detours: [@Sendable (WriteContext, User) throws -> Void] = [
        { context, before in
            let user = try #require(try User.find(before.id, in: context))
            user.age = 9
            _ = try User.count(in: context)
            user.age = before.age
        },
        { context, before in
            let user = try #require(try User.find(before.id, in: context))
            user.age = 9
            try context.nested { _ in }
            user.age = before.age
        },
        { context, before in
            for age in [9, before.age] {
                try User.update(
                    where: { $0.id == before.id }, set: { [$0.age.set(to: age)] }, in: context)
            }
        },
        { context, before in
            try User.find(before.id, in: context)?.age = 9
            try User.update(
                where: { $0.id == before.id }, set: { [$0.age.set(to: before.age)] }, in: context)
        },
        { context, before in
            let user = try #require(try User.find(before.id, in: context))
            try User.update(
                where: { $0.id == before.id }, set: { [$0.age.set(to: 9)] }, in: context)
            user.age = before.age
        },
        { context, before in
            try User.find(before.id, in: context)?.delete()
            _ = try User.count(in: context)
            try User.create(id: before.id, in: context) { $0 = before }
        },
        { context, before in
            try User.deleteAll(where: { $0.id == before.id }, in: context)
            try User.create(id: before.id, in: context) { $0 = before }
        },
        { context, before in
            let company = try Company.create(in: context) { $0.name = "A" }
            let user = try #require(try User.find(before.id, in: context))
            user.company = company.id
            _ = try User.count(in: context)
            try company.delete()
        },
        { context, before in
            let user = try #require(try User.find(before.id, in: context))
            user.age = 9
            _ = try User.count(in: context)
            try user.discardChanges()
        },
        { context, before in
            let user = try #require(try User.find(before.id, in: context))
            try user.delete()
            _ = try User.count(in: context)
            try user.discardChanges()
        },
    ]

    @Test func `a full feed says how many changesets it has dropped`() async throws {
        try await withNotes { dal in
            let feed = dal.changes(of: User.self, buffering: 3)
            var ids: [User.ID] = []
            for _ in 0..<10 { ids.append(try await dal.write { try User.add(in: $0).id }) }
            while !dal.coordinator.main.observers.isCaughtUp { await Task.yield() }
            var iterator = feed.makeAsyncIterator()
            #expect(try await iterator.next() == .missed(7))
            for id in ids.suffix(3) {
                #expect(try await iterator.nextChanges()?.inserted == [id])
            }
            let next = try await dal.write { try User.add(in: $0).id }
            #expect(try await iterator.nextChanges()?.inserted == [next])
        }
    }

    @Test func `a feed omits rolled-back writes and scopes, and a reset is incomplete`()
        async throws
    {
        try await withNotes { dal in
            let feed = dal.changes(of: User.self)
            await #expect(throws: Refused.self) {
                try await dal.write { context in
                    try User.add(in: context)
                    throw Refused()
                }
            }
            let id = try await dal.write { context in
                try? context.nested { context in
                    try User.add(in: context)
                    throw Refused()
                }
                return try User.add(in: context).id
            }
            try await dal.reset()
            var iterator = feed.makeAsyncIterator()
            let created = try await iterator.nextChanges()
            #expect(created?.inserted == [id])
            #expect(created?.isComplete == true)
            let reset = try await iterator.nextChanges()
            #expect(reset?.isComplete == false)
            #expect(reset?.inserted == [])
        }
    }

    /// What was merged before the call belongs to a commit that comes after it.
    @Test func `a batch that was open at the call is an incomplete changeset`() async throws {
        try await withNotes(configuration: .patient) { dal in
            try await dal.write(acknowledging: .merged) { try User.add(in: $0) }
            let feed = dal.changes(of: User.self)
            let id = try await dal.write { try User.add(in: $0).id }
            var iterator = feed.makeAsyncIterator()
            #expect(try await iterator.nextChanges()?.isComplete == false)
            let changes = try await iterator.nextChanges()
            #expect(changes?.inserted == [id])
            #expect(changes?.isComplete == true)
        }
    }

    @Test func `a write that was under way at the call is incomplete where it was not recorded`()
        async throws
    {
        let dal = try await DataAccessLayer.open(.inMemory, entities: User.self, Company.self)
        let feeds = Log<ChangeFeed<User>>()
        let id = try await dal.write { context in
            try User.add(in: context)
            _ = try User.count(in: context)
            feeds.note(dal.changes(of: User.self))
            return try User.add(in: context).id
        }
        var iterator = try #require(feeds.entries.first).makeAsyncIterator()
        let changes = try await iterator.nextChanges()
        #expect(changes?.inserted == [id])
        #expect(changes?.isComplete == false)
        try await dal.close()
    }

    @Test(arguments: Place.allCases)
    func `feeds beside writers get every commit in order`(_ place: Place) async throws {
        try await withNotes(place) { dal in
            let feeds = (0..<3).map { _ in dal.changes(of: User.self) }
            let committed = Log<User.ID>()
            try await withThrowingTaskGroup(of: [User.ID].self) { group in
                for feed in feeds {
                    group.addTask {
                        var ids: [User.ID] = []
                        for try await event in feed {
                            guard case .changes(let changes) = event else { break }
                            ids += changes.inserted
                            if ids.count == 100 { break }
                        }
                        return ids
                    }
                }
                for number in 0..<4 {
                    group.addTask {
                        for _ in 0..<25 {
                            let level = Acknowledgement.allCases[number % 3]
                            try await dal.write(acknowledging: level) { context in
                                // In the order of the turns.
                                committed.note(try User.add(in: context).id)
                            }
                        }
                        return []
                    }
                }
                for try await ids in group where !ids.isEmpty { #expect(ids == committed.entries) }
            }
        }
    }

    @Test func `a feed ends when the store is closed, after what it has kept`() async throws {
        try await withNotes { dal in
            let feed = dal.changes(of: User.self)
            let waiting = dal.changes(of: Company.self)
            let task = Task {
                var count = 0
                for try await _ in waiting { count += 1 }
                return count
            }
            try await dal.write { try User.add(in: $0) }
            try await dal.close()
            var count = 0
            for try await _ in feed { count += 1 }
            #expect(count == 1)
            #expect(try await task.value == 0)
        }
    }

    @Test func `a feed that cannot be had throws when it is asked`() async throws {
        try await withNotes { dal in
            await Self.expect(.unknownEntity, of: dal.changes(of: Country.self))
            await Self.expect(.invalidRequest, of: dal.changes(of: User.self, buffering: 0))
            try await dal.close()
            await Self.expect(.closed, of: dal.changes(of: User.self))
        }
    }

    @Test func `a feed that is dropped or cancelled leaves nothing behind`() async throws {
        try await withNotes { dal in
            let main = dal.coordinator.main
            let own = main.interest.entities
            let task = Task {
                for try await _ in dal.changes(of: User.self) {}
            }
            while main.observerCount == 0 { await Task.yield() }
            task.cancel()
            try await task.value
            #expect(main.observerCount == 0)
            do {
                let feed = dal.changes(of: User.self)
                #expect(main.observerCount == 1)
                withExtendedLifetime(feed) {}
            }
            #expect(main.observerCount == 0)
            #expect(main.interest.entities == own)
        }
    }

    private static func expect<E: Entity>(
        _ code: DataAccessError.Code, of feed: ChangeFeed<E>
    ) async {
        let error = await #expect(throws: DataAccessError.self) { for try await _ in feed {} }
        #expect(error?.code == code)
    }
}

extension ChangeFeed.Iterator {
    /// The next event, if it is a changeset.
    mutating func nextChanges() async throws -> EntityChanges<E>? {
        guard case .changes(let changes)? = try await next() else { return nil }
        return changes
    }
}
