import Foundation
import ReliabilityKit
import Skiathos
import TestSupport
import Testing

/// After every commit of a random history, the feeds have told all that has changed.
@Suite(.generousTimeLimit) struct FeedHistoryTests {
    /// How often a history writes and looks.
    private static let rounds = Rounds.of(40, least: 15)

    @Test(arguments: Place.allCases, Seed.each(1, 2, 3, 4, 5, 6, 7, 8))
    func `changesets lead from one version of a table to the next`(
        _ place: Place, _ seed: UInt64
    ) async throws {
        try await withSeed(seed) {
            try await withCrew(place) { dal in
                var random = SeededNumbers(seed: seed)
                var writes = CrewWrites(seed: seed &+ 1)
                for _ in 0..<5 { try await writes.run(on: dal) }
                try await dal.flush(to: .committed)
                let crew = try await FollowedCrew(dal, &random)
                for _ in 0..<Self.rounds {
                    for _ in 0...random.below(3) { try await writes.run(on: dal) }
                    // One failure says enough.
                    guard try await crew.follow(dal) else { return }
                }
                crew.requireChanges(of: Self.rounds)
            }
        }
    }
}

/// Some of the tables of a crew, and observers of whole tables, whose rows no observer needs.
private final class FollowedCrew {
    private let persons: FollowedTable<Person>?
    private let teams: FollowedTable<Team>?
    private let jobs: FollowedTable<Job>?
    private var elders: Observed<Person>
    private var list: [Job] = []
    private var differences: ListDifferences<Job>.Iterator
    private var allTeams: Observed<Team>
    private var markCount = 0

    init(_ dal: DataAccessLayer, _ random: inout SeededNumbers) async throws {
        let which = random.below(4)
        persons = which == 3 ? nil : try await FollowedTable(dal)
        teams = which == 2 ? nil : try await FollowedTable(dal)
        jobs = which == 1 ? nil : try await FollowedTable(dal)
        elders = Observed(Person.where { $0.age >= 20 }.order { $0.name }, of: dal)
        allTeams = Observed(Team.query, of: dal)
        differences = dal.observe(Job.order { $0.title }).differences.makeAsyncIterator()
    }

    /// Requires every feed and every observer to show what the store holds.
    func follow(_ dal: DataAccessLayer) async throws -> Bool {
        markCount += 1
        let mark = try await dal.write { [markCount] context in
            (
                try Person.create(in: context) { $0.name = "mark \(markCount)" }.id,
                try Team.create(id: Team.ID(rawValue: "mark \(markCount)"), in: context).id,
                try Job.create(in: context).id
            )
        }
        guard try await persons?.follow(dal, until: mark.0) != false,
            try await teams?.follow(dal, until: mark.1) != false,
            try await jobs?.follow(dal, until: mark.2) != false,
            try await elders.follow(dal), try await allTeams.follow(dal)
        else { return false }
        let expected = try await dal.read { try Job.order { $0.title }.all(in: $0) }
        while list != expected {
            let difference = try #require(try await differences.next())
            guard !difference.isEmpty else {
                Issue.record("A difference of the jobs is empty.")
                return false
            }
            difference.apply(to: &list)
        }
        return true
    }

    /// Requires the history to have had changes of every kind in each of its rounds, or nearly.
    func requireChanges(of rounds: Int) {
        let all = [persons?.counts, teams?.counts, jobs?.counts].compactMap { $0 }
        let counts = (
            inserted: all.reduce(0) { $0 + $1.inserted },
            updated: all.reduce(0) { $0 + $1.updated },
            deleted: all.reduce(0) { $0 + $1.deleted }
        )
        #expect(
            counts.inserted > rounds && counts.updated > rounds / 2 && counts.deleted > rounds / 3,
            "\(counts)")
    }
}

/// An observed query.
private struct Observed<E: Entity & Equatable> {
    private let query: Query<E>
    private var iterator: ObservedQuery<E>.AsyncIterator
    private var last: [E]?

    init(_ query: Query<E>, of dal: DataAccessLayer) {
        self.query = query
        iterator = dal.observe(query).makeAsyncIterator()
    }

    /// Requires the next value, if there has to be one.
    mutating func follow(_ dal: DataAccessLayer) async throws -> Bool {
        let expected = try await dal.read { [query] in try query.all(in: $0) }
        guard expected != last else { return true }
        last = try await iterator.next()
        #expect(last == expected)
        return last == expected
    }
}
