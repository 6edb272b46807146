import GRDB
import Skiathos
import SkiathosGRDB
import SkiathosLocks
import SkiathosStore
import Synchronization
import TestSupport
import Testing

/// What feeds and observers learn of raw SQL.
@Suite(.generousTimeLimit) struct RawSQLFeedTests {
    @Test(arguments: Place.allCases)
    func `raw SQL names its rows, also those that make room for others`(
        _ place: Place
    ) async throws {
        try await Self.withPersons(place) { dal, persons in
            var feed = dal.changes(of: Person.self).makeAsyncIterator()
            let fresh = Person.ID(rawValue: 77)
            try await dal.execute(
                """
                INSERT OR REPLACE INTO "person" ("id", "name", "age", "mood")
                VALUES (\(persons[0].id), 'new name', 1, 'calm'), (\(fresh), 'b', 5, 'merry');
                """)
            let changes = try #require(try await feed.nextChanges())
            #expect(changes.isComplete)
            #expect(changes.inserted == [fresh])
            #expect(changes.updated.map(\.id) == [persons[0].id])
            #expect(changes.updated.map(\.columns) == [["name"]])
            #expect(changes.before(persons[0].id) == persons[0])
            // It had the name of the new one.
            #expect(changes.deleted == [persons[1].id])
            #expect(changes.before(persons[1].id) == persons[1])
            try await dal.execute(
                """
                INSERT INTO "person" ("name", "age", "mood") VALUES ('b', 0, 'calm')
                ON CONFLICT ("name") DO UPDATE SET "age" = 6;
                UPDATE "person" SET "id" = 78 WHERE "id" = \(persons[2].id);
                """)
            let second = try #require(try await feed.nextChanges())
            #expect(second.isComplete)
            #expect(second.updated.map(\.id) == [fresh])
            #expect(second.after(fresh)?.age == 6)
            #expect(second.deleted == [persons[2].id])
            #expect(second.inserted == [78])
        }
    }

    @Test(arguments: Place.allCases)
    func `raw SQL wakes only the queries whose rows it has changed`(_ place: Place) async throws {
        try await Self.withPersons(place) { dal, persons in
            let reads = Lock(0)
            var ages = dal.observe { context in
                reads.withLock { $0 += 1 }
                return try Person.all(where: { $0.name == "a" }, in: context).map(\.age)
            }.makeAsyncIterator()
            #expect(try await ages.next() == [1])
            try await dal.execute(
                """
                UPDATE "person" SET "age" = 9 WHERE "name" <> 'a';
                INSERT INTO "team" ("id", "title") VALUES ('t', 'title');
                DELETE FROM "person" WHERE "name" = 'b';
                """)
            try await dal.execute(#"UPDATE "person" SET "age" = 2 WHERE "name" = 'a'"#)
            #expect(try await ages.next() == [2])
            #expect(reads.withLock { $0 } == 2)
        }
    }

    @Test(arguments: Place.allCases)
    func `a value that cannot be read makes its changeset incomplete, and nothing is lost`(
        _ place: Place
    ) async throws {
        let errors = Lock(0)
        var configuration = Skiathos.Configuration()
        configuration.errorHandler = { _ in errors.withLock { $0 += 1 } }
        try await Self.withPersons(place, configuration) { dal, persons in
            var feed = dal.changes(of: Person.self).makeAsyncIterator()
            var names = dal.observe(Person.order { $0.name }).makeAsyncIterator()
            var list: [Person] = []
            var differences = dal.observe(Person.order { $0.name }).differences
                .makeAsyncIterator()
            #expect(try await names.next()?.map(\.name) == ["a", "b", "c"])
            try #require(try await differences.next()).apply(to: &list)
            try await dal.execute(
                """
                UPDATE "person" SET "age" = 9 WHERE "name" = 'b';
                UPDATE "person" SET "mood" = 'secret' WHERE "name" = 'a';
                """)
            let broken = try #require(try await feed.nextChanges())
            #expect(!broken.isComplete)
            #expect(broken.after(persons[1].id)?.age == 9)
            #expect(broken.after(persons[0].id) == nil)
            try await dal.execute(#"UPDATE "person" SET "mood" = 'cross' WHERE "name" = 'a'"#)
            let repaired = try #require(try await feed.nextChanges())
            #expect(!repaired.isComplete)
            #expect(repaired.after(persons[0].id)?.mood == .cross)
            // A read between the two has failed, and the observers go on.
            let last = try await dal.read { try Person.order { $0.name }.all(in: $0) }
            #expect(try await names.next() == last)
            while list != last { try #require(try await differences.next()).apply(to: &list) }
        }
        // Both observers read between the two, unless they were too late for it.
        #expect(errors.withLock { $0 } <= 2)
    }

    @Test(arguments: Place.allCases)
    func `an ID that cannot be read makes its changeset incomplete`(_ place: Place) async throws {
        try await Self.withPersons(place) { dal, _ in
            var feed = dal.changes(of: Job.self).makeAsyncIterator()
            try await dal.execute(#"INSERT INTO "job" ("id", "title") VALUES (x'01', 'short')"#)
            #expect(try await feed.nextChanges()?.isComplete == false)
            try await dal.execute(#"DELETE FROM "job""#)
            #expect(try await feed.nextChanges()?.isComplete == false)
            let id = try await dal.write { try Job.create(in: $0).id }
            let changes = try await feed.nextChanges()
            #expect(changes?.isComplete == true)
            #expect(changes?.inserted == [id])
        }
    }

    /// Their values are not those of their rows any more.
    @Test func `changes of objects that could not follow raw SQL are incomplete`() async throws {
        try await Self.withPersons(.memory) { dal, persons in
            var feed = dal.changes(of: Person.self).makeAsyncIterator()
            try await dal.write { context in
                let person = try #require(try Person.find(persons[0].id, in: context))
                #expect(throws: StoreError.self) {
                    try context.sqlite {
                        let sql = #"UPDATE "person" SET "mood" = 'odd', "age" = 9 WHERE "id" = 1"#
                        try $0.execute(sql: sql)
                    }
                }
                person.name = "other"
            }
            let changes = try #require(try await feed.nextChanges())
            #expect(!changes.isComplete)
            try await dal.execute(#"UPDATE "person" SET "mood" = 'calm'"#)
        }
    }

    @Test(arguments: Place.allCases)
    func `raw SQL is noticed though an object that was set meanwhile is refused`(
        _ place: Place
    ) async throws {
        try await Self.withPersons(place) { dal, persons in
            var feed = dal.changes(of: Person.self).makeAsyncIterator()
            var ages = dal.observe { try Person.order { $0.name }.all(in: $0).map(\.age) }
                .makeAsyncIterator()
            #expect(try await ages.next() == [1, 2, 3])
            try await dal.write { context in
                let person = try #require(try Person.find(persons[0].id, in: context))
                #expect(throws: StoreError.self) {
                    try context.sqlite { db in
                        try db.execute(sql: #"UPDATE "person" SET "age" = 9"#)
                        person.name = "b"
                    }
                }
                try person.discardChanges()
            }
            #expect(try await feed.nextChanges()?.isComplete == false)
            #expect(try await ages.next() == [9, 9, 9])
        }
    }

    @Test(arguments: Place.allCases)
    func `an object that raw SQL overtakes is recorded as it is stored`(
        _ place: Place
    ) async throws {
        try await Self.withPersons(place) { dal, persons in
            var feed = dal.changes(of: Person.self).makeAsyncIterator()
            try await dal.write { context in
                let person = try #require(try Person.find(persons[0].id, in: context))
                try context.sqlite { db in
                    person.name = "other"
                    try db.execute(sql: #"UPDATE "person" SET "age" = 9 WHERE "id" = 1"#)
                }
            }
            let changes = try #require(try await feed.nextChanges())
            #expect(changes.isComplete)
            #expect(changes.updated.map(\.columns) == [["name", "age"]])
            #expect(changes.before(persons[0].id) == persons[0])
            #expect(changes.after(persons[0].id)?.name == "other")
            #expect(changes.after(persons[0].id)?.age == 9)
        }
    }

    /// Opens a store with the persons a, b and c.
    private static func withPersons(
        _ place: Place, _ configuration: Skiathos.Configuration = Skiathos.Configuration(),
        _ body: @Sendable (DataAccessLayer, [Person]) async throws -> Void
    ) async throws {
        try await withCrew(place, configuration: configuration) { dal in
            let persons = try await dal.write { context in
                try ["a", "b", "c"].enumerated().map { number, name in
                    try Person.create(in: context) {
                        $0.name = name
                        $0.age = number + 1
                    }.value
                }
            }
            try await body(dal, persons)
        }
    }
}

extension DataAccessLayer {
    /// Executes raw SQL in a write of its own.
    fileprivate func execute(_ sql: String) async throws {
        try await write { context in try context.sqlite { try $0.execute(sql: sql) } }
    }
}

extension ChangeFeed.Iterator {
    /// The next event, if it is a changeset.
    fileprivate mutating func nextChanges() async throws -> EntityChanges<E>? {
        guard case .changes(let changes)? = try await next() else { return nil }
        return changes
    }
}
