import Skiathos
import SkiathosStore
import TestSupport
import Testing

@testable import SkiathosCore

/// Lists in sections, and their differences.
@Suite(.generousTimeLimit) struct SectionTests {
    private typealias Section = ListSection<Int, User>

    private static func sections(_ generator: inout SeededNumbers) -> [Section] {
        let rows = (0..<Int.random(in: 0...14, using: &generator)).map { _ -> User in
            var user = User(id: User.ID(rawValue: .random(in: 0..<30, using: &generator)))
            user.age = Int.random(in: 0..<5, using: &generator)
            user.firstname = Bool.random(using: &generator) ? "a" : "b"
            return user
        }
        var known: Set<User.ID> = []
        return Section.sections(of: rows.filter { known.insert($0.id).inserted }, by: \.age)
    }

    private static func describe(_ sections: [Section]) -> String {
        "\(sections.map { "\($0.key): \($0.rows)" })"
    }

    @Test(.seeded) func `applying a difference of sections makes the new ones`() {
        var generator = SeededNumbers(seed: Seed.current)
        for _ in 0..<Rounds.of(3_000) {
            let old = Self.sections(&generator)
            var new = Self.sections(&generator)
            // Mostly little has changed.
            if Bool.random(using: &generator) {
                new = old
                if new.count > 1, Bool.random(using: &generator) {
                    new.swapAt(0, Int.random(in: new.indices, using: &generator))
                }
                if !new.isEmpty { new[0].rows.shuffle(using: &generator) }
            }
            let difference = SectionDifference(from: old, to: new)
            #expect(Self.describe(difference.applied(to: old)) == Self.describe(new))
            #expect(difference.isEmpty == (Self.describe(old) == Self.describe(new)))
        }
    }

    @Test func `a difference of sections has the fewest moves and every place`() throws {
        func user(_ id: Int64, age: Int, _ name: String = "") -> User {
            var user = User(id: User.ID(rawValue: id))
            user.age = age
            user.firstname = name
            return user
        }
        func sections(_ rows: [User]) -> [Section] { Section.sections(of: rows, by: \.age) }
        let old = sections([
            user(1, age: 1), user(2, age: 1), user(3, age: 2), user(4, age: 3), user(5, age: 4),
        ])
        let new = sections([
            user(4, age: 3), user(2, age: 1), user(1, age: 1, "x"), user(3, age: 1),
            user(6, age: 9),
        ])
        let difference = SectionDifference(from: old, to: new)
        typealias Place = SectionDifference<Int, User>.Place
        #expect(difference.removedSections == [1, 3])
        #expect(difference.insertedSections.map(\.key) == [9])
        #expect(difference.insertedSections.map(\.index) == [2])
        #expect(difference.movedSections.count == 1)
        #expect(difference.removed.map(\.id.rawValue) == [5])
        #expect(difference.removed.map(\.place) == [Place(section: 3, row: 0)])
        #expect(difference.inserted.map(\.element.id.rawValue) == [6])
        #expect(difference.inserted.map(\.place) == [Place(section: 2, row: 0)])
        #expect(difference.moved.count == 2)
        let between = try #require(difference.moved.first { $0.id.rawValue == 3 })
        #expect(between.from == Place(section: 1, row: 0))
        #expect(between.to == Place(section: 1, row: 2))
        #expect(difference.updated.map(\.element.id.rawValue) == [1, 3])
    }

    @Test(arguments: Place.allCases, Seed.each(1, 2, 3))
    func `observed sections follow a random history`(_ place: Place, _ seed: UInt64) async throws {
        try await withSeed(seed) {
            var configuration = Configuration.patient
            configuration.errorHandler = { _ in }
            try await withNotes(place, configuration: configuration) { dal in
                var generator = SeededNumbers(seed: seed)
                var writes = RandomWrites(seed: seed &+ 1)
                let query = User.order { [$0.age.descending, $0.firstname.ascending] }
                let observed = dal.observe(query).sections(by: \.age)
                var values = observed.makeAsyncIterator()
                var differences = observed.differences.makeAsyncIterator()
                var last = try #require(try await values.next())
                var applied: [Section] = []
                try await differences.next()?.apply(to: &applied)
                for _ in 0..<40 {
                    try await writes.run(on: dal, count: Int.random(in: 1...3, using: &generator))
                    try await dal.flush(to: .committed)
                    let rows = try await dal.read { try query.all(in: $0) }
                    let expected = Self.describe(Section.sections(of: rows, by: \.age))
                    while Self.describe(last) != expected {
                        last = try #require(try await values.next())
                    }
                    while Self.describe(applied) != expected {
                        let difference = try #require(try await differences.next())
                        #expect(!difference.isEmpty)
                        difference.apply(to: &applied)
                    }
                }
                #expect(last.map(\.key) == last.map(\.key).sorted(by: >))
            }
        }
    }

    @Test func `rows that change places with rows of other sections make no value`() async throws {
        try await withNotes { dal in
            let (users, middle) = try await dal.write { context in
                let companies = try ["a", "b", "c"].map { name in
                    try Company.create(in: context) { $0.name = name }
                }
                let users = try companies.enumerated().map { index, company in
                    try User.add(in: context) {
                        $0.age = index % 2
                        $0.company = company.id
                    }.id
                }
                return (users, companies[1].id)
            }
            let query = User.order { $0.company.name }
            var lists = dal.observe(query).makeAsyncIterator()
            var sections = dal.observe(query).sections(by: \.age).makeAsyncIterator()
            #expect(try await lists.next()?.map(\.id) == users)
            #expect(
                try await sections.next()?.map { $0.rows.map(\.id) } == [
                    [users[0], users[2]], [users[1]],
                ])
            // The second user comes last, which is another list, but no other section.
            try await dal.write { try Company.find(middle, in: $0)?.name = "d" }
            #expect(try await lists.next()?.map(\.id) == [users[0], users[2], users[1]])
            try await dal.write { try User.find(users[1], in: $0)?.age = 7 }
            #expect(try await sections.next()?.map(\.key) == [0, 7])
        }
    }

    @Test func `sections end when the store is closed`() async throws {
        try await withNotes { dal in
            var values = dal.observe(User.query).sections(by: \.age).makeAsyncIterator()
            #expect(try await values.next()?.isEmpty == true)
            try await dal.close()
            #expect(try await values.next()?.isEmpty == nil)
        }
    }
}
