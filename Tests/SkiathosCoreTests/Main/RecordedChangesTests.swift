import ReliabilityKit
import Skiathos
import SkiathosLocks
import SkiathosStore
import SkiathosTesting
import TestSupport
import Testing

@testable import SkiathosCore

/// Changes without objects, as observers are notified of them.
@Suite(.generousTimeLimit) struct RecordedChangesTests {
    private struct Refused: Error {}

    @Test(arguments: Place.allCases)
    func `a change by condition names its rows, its columns and their values`(
        _ place: Place
    ) async throws {
        try await withNotes(place) { dal in
            let users = try await dal.write { context in
                try [1, 2, 30].map { age in try User.add(in: context) { $0.age = age }.value }
            }
            var feed = dal.changes(of: User.self).makeAsyncIterator()
            try await dal.write { context in
                try User.update(
                    where: { $0.age < 10 },
                    set: { [$0.score.set(to: 5), $0.age.set(to: 2)] }, in: context)
            }
            let update = try #require(try await feed.nextChanges())
            #expect(update.isComplete)
            #expect(update.updated.map(\.id) == [users[0].id, users[1].id])
            // The second one had the age already.
            #expect(update.updated.map(\.columns) == [["age", "score"], ["score"]])
            #expect(update.before(users[0].id) == users[0])
            #expect(update.after(users[0].id)?.age == 2)
            #expect(update.after(users[0].id)?.score == 5)
            try await dal.write { try User.deleteAll(where: { $0.age > 10 }, in: $0) }
            let deletion = try #require(try await feed.nextChanges())
            #expect(deletion.isComplete)
            #expect(deletion.deleted == [users[2].id])
            #expect(deletion.before(users[2].id) == users[2])
        }
    }

    @Test(arguments: Place.allCases)
    func `delete rules name the rows that they delete and clear`(_ place: Place) async throws {
        try await withNotes(place, messages: true) { dal in
            let (note, company, message, user) = try await dal.write { context in
                let note = try Note.create(in: context).id
                let company = try Company.create(in: context) { $0.name = "A" }.id
                return (
                    note, company, try Message.create(in: context) { $0.note = note }.value,
                    try User.add(in: context) { $0.company = company }.value
                )
            }
            var messages = dal.changes(of: Message.self).makeAsyncIterator()
            var users = dal.changes(of: User.self).makeAsyncIterator()
            try await dal.write { context in
                try Note.find(note, in: context)?.delete()
                try Company.deleteAll(where: { $0.id == company }, in: context)
            }
            let gone = try #require(try await messages.nextChanges())
            #expect(gone.isComplete)
            #expect(gone.deleted == [message.id])
            #expect(gone.before(message.id) == message)
            let cleared = try #require(try await users.nextChanges())
            #expect(cleared.isComplete)
            #expect(cleared.updated.map(\.columns) == [["company"]])
            #expect(cleared.before(user.id) == user)
            #expect(cleared.after(user.id)?.company == nil)
        }
    }

    @Test(arguments: Place.allCases)
    func `changes with and without objects add up, as far as they were not rolled back`(
        _ place: Place
    ) async throws {
        try await withNotes(place) { dal in
            let old = try await dal.write { try User.add(in: $0) { $0.age = 1 }.value }
            var feed = dal.changes(of: User.self).makeAsyncIterator()
            let new = try await dal.write { context in
                let (new, gone) = (try User.add(in: context), try User.add(in: context))
                try User.update(set: { [$0.age.set(to: 7)] }, in: context)
                gone.firstname = "gone"
                try User.deleteAll(where: { $0.firstname == "gone" }, in: context)
                try? context.nested { context in
                    try User.update(set: { [$0.age.set(to: 8)] }, in: context)
                    new.age = 9
                    try User.deleteAll(where: { $0.id == old.id }, in: context)
                    throw Refused()
                }
                try User.find(old.id, in: context)?.score = 2
                return new.id
            }
            let changes = try #require(try await feed.nextChanges())
            #expect(changes.isComplete)
            #expect(changes.inserted == [new])
            #expect(changes.after(new)?.age == 7)
            #expect(changes.updated.map(\.id) == [old.id])
            #expect(changes.updated.map(\.columns) == [["age", "score"]])
            #expect(changes.before(old.id) == old)
            #expect(changes.after(old.id)?.age == 7)
            #expect(changes.after(old.id)?.score == 2)
            #expect(changes.deleted == [])
        }
    }

    @Test func `a change that leaves every value as it was is none`() async throws {
        try await withNotes { dal in
            let id = try await dal.write { try User.add(in: $0) { $0.age = 7 }.id }
            var feed = dal.changes(of: User.self).makeAsyncIterator()
            let writes: [@Sendable (WriteContext) throws -> Void] = [
                { try User.update(set: { [$0.age.set(to: 7)] }, in: $0) },
                { context in
                    try User.update(set: { [$0.age.set(to: 8)] }, in: context)
                    try User.update(set: { [$0.age.set(to: 7)] }, in: context)
                },
                { context in
                    // The second user has the names and the age of the first.
                    let user = try User.add(in: context) { $0.age = 1 }
                    #expect(throws: StoreError.self) {
                        try User.update(
                            set: { [$0.lastname.set(to: ""), $0.age.set(to: 2)] }, in: context)
                    }
                    try user.delete()
                },
                { try User.deleteAll(where: { $0.age == 99 }, in: $0) },
                { try User.update(set: { [$0.age.set(to: 9)] }, in: $0) },
            ]
            for write in writes { try await dal.write(write) }
            // The others have left no changeset.
            let last = try #require(try await feed.nextChanges())
            #expect(last.isComplete)
            #expect(last.before(id)?.age == 7)
            #expect(last.after(id)?.age == 9)
        }
    }

    @Test func `a write that changes more rows than the limit is incomplete, and is noticed`()
        async throws
    {
        try await withNotes(.memory) { dal in
            let limit = RecordingLimit().rows
            try await dal.write { context in
                for number in 0...limit {
                    try User.create(in: context) {
                        $0.lastname = "\(number)"
                        $0.age = number % 2
                    }
                }
            }
            var feed = dal.changes(of: User.self).makeAsyncIterator()
            var count = dal.observe { try User.count(where: { $0.score == 1 }, in: $0) }
                .makeAsyncIterator()
            #expect(try await count.next() == 0)
            // Half of them.
            try await dal.write {
                try User.update(where: { $0.age == 0 }, set: { [$0.score.set(to: 1)] }, in: $0)
            }
            let half = try #require(try await feed.nextChanges())
            #expect(half.isComplete)
            #expect(half.updated.count == limit / 2 + 1)
            #expect(try await count.next() == limit / 2 + 1)
            // All of them at once.
            try await dal.write { try User.update(set: { [$0.score.set(to: 2)] }, in: $0) }
            let all = try #require(try await feed.nextChanges())
            #expect(!all.isComplete)
            #expect(all.updated.isEmpty)
            #expect(try await count.next() == 0)
            // One half after the other, and then again in a write of its own.
            try await dal.write { context in
                for age in 0...1 {
                    try User.update(
                        where: { $0.age == age }, set: { [$0.score.set(to: 1)] }, in: context)
                }
            }
            let halves = try #require(try await feed.nextChanges())
            #expect(!halves.isComplete)
            #expect(try await count.next() == limit + 1)
            try await dal.write {
                try User.update(where: { $0.age == 1 }, set: { [$0.score.set(to: 3)] }, in: $0)
            }
            #expect(try await feed.nextChanges()?.isComplete == true)
        }
    }

    @Test func `a feed that begins during a write misses what was changed before`() async throws {
        try await withNotes { dal in
            try await dal.write { try User.add(in: $0) }
            let feeds = Log<ChangeFeed<User>>()
            try await dal.write { context in
                try User.update(set: { [$0.age.set(to: 7)] }, in: context)
                feeds.note(dal.changes(of: User.self))
                try User.update(set: { [$0.age.set(to: 8)] }, in: context)
            }
            try await dal.write { try User.update(set: { [$0.age.set(to: 9)] }, in: $0) }
            var feed = try #require(feeds.entries.first).makeAsyncIterator()
            #expect(try await feed.nextChanges()?.isComplete == false)
            #expect(try await feed.nextChanges()?.isComplete == true)
        }
    }
}

/// What is recorded, and what observers learn where nothing can be.
@Suite(.generousTimeLimit) struct RecordingUseTests {
    @Test func `nothing is recorded without an observer, nor for objects`() async throws {
        try await withRecordings { dal, recordings in
            let change: @Sendable (WriteContext) throws -> Void = { context in
                let continent = try Continent.create(in: context).id
                try Country.create(id: "GR", in: context) { $0.continent = continent }
                try User.update(set: { [$0.age.set(to: 7)] }, in: context)
                try Continent.find(continent, in: context)?.delete()
                _ = try Continent.count(in: context)
                try User.deleteAll(in: context)
            }
            try await dal.write(change)
            #expect(recordings.entries.isEmpty)
            let schema = dal.coordinator.store.schema
            let countries = try #require(schema.position(of: Country.self))
            // No row of an entity that is not observed, and none that only objects have changed.
            let feed = dal.changes(of: Country.self)
            try await dal.write(change)
            #expect(recordings.entries == [[countries]])
            withExtendedLifetime(feed) {}
        }
    }

    @Test func `observers learn of any row where the store cannot record changes`() async throws {
        try await withRecordings(isBlind: true) { dal, _ in
            let continent = try await dal.write { context in
                let continent = try Continent.create(in: context).id
                try Country.create(id: "GR", in: context) { $0.continent = continent }
                try User.add(in: context)
                return continent
            }
            var users = dal.changes(of: User.self).makeAsyncIterator()
            var countries = dal.changes(of: Country.self).makeAsyncIterator()
            var ages = dal.observe { try User.all(in: $0).map(\.age) }.makeAsyncIterator()
            #expect(try await ages.next() == [0])
            try await dal.write { context in
                try User.update(set: { [$0.age.set(to: 7)] }, in: context)
                try Country.create(id: "IT", in: context)
                try Continent.find(continent, in: context)?.delete()
            }
            let changes = try #require(try await users.nextChanges())
            #expect(!changes.isComplete)
            #expect(changes.updated.isEmpty)
            #expect(try await ages.next() == [7])
            // What objects have changed is named, as far as it is known.
            let others = try #require(try await countries.nextChanges())
            #expect(!others.isComplete)
            #expect(others.inserted == ["IT"])
        }
    }

    /// Opens a store, and logs of which entities it records changes, or lets it record none.
    private func withRecordings(
        isBlind: Bool = false,
        _ body: @Sendable (DataAccessLayer, Log<Set<Int>>) async throws -> Void
    ) async throws {
        let log = Log<Set<Int>>()
        let source = StoreSource.inMemory.mapped {
            ForwardingStore($0, session: { RecordingSession($0, log, isBlind) })
        }
        // None of these observes its own commits.
        try await withStore(
            source, entities: [Continent.self, Country.self, Company.self, User.self]
        ) { try await body($0, log) }
    }
}

/// Logs of which entities changes are recorded, or cannot record any.
private final class RecordingSession: ForwardingSession {
    private let log: Log<Set<Int>>
    private let isBlind: Bool

    init(_ base: any StoreWriteSession, _ log: Log<Set<Int>>, _ isBlind: Bool) {
        self.log = log
        self.isBlind = isBlind
        super.init(base)
    }

    override func recordingChanges(
        of entities: Set<Int>, limit: RecordingLimit, _ body: () throws -> Void
    ) throws -> RecordedRowChanges? {
        log.note(entities)
        guard isBlind else {
            return try super.recordingChanges(of: entities, limit: limit, body)
        }
        try body()
        return nil
    }
}
