import Foundation
import Skiathos
import SkiathosTesting

/// A person with a unique name, who goes with the boss, and stays when the team goes.
struct Person: Sendable, Equatable {
    enum Mood: String, Sendable, CaseIterable { case calm, merry, cross }

    var id: EntityID<Person> = .unassigned
    var name = ""
    var age = 0
    var mood = Mood.calm
    var boss: Person.ID?
    var team: Team.ID?
}

/// A team whose ID is a text, so that its table has no row IDs.
struct Team: Sendable, Equatable {
    var id: EntityID<Team> = .unassigned
    var title = ""
    /// What it works on; cleared when the job goes, also with another team.
    var current: Job.ID?
}

/// A job that goes with its team.
struct Job: Sendable, Equatable {
    var id: EntityID<Job> = .unassigned
    var title = ""
    var team: Team.ID?
    var owner: Person.ID?
}

extension Person: TableEntity {
    init(id: Person.ID) { self.id = id }

    static let table = EntityTable("person", id: \Person.id) {
        EntityColumn("name", \.name, .unique)
        EntityColumn("age", \.age)
        EntityColumn("mood", \.mood)
        EntityColumn("boss", \.boss, .references(onDelete: .cascade))
        EntityColumn("team", \.team)
    }
}

extension Team: TableEntity {
    typealias RawID = String

    init(id: Team.ID) { self.id = id }

    static let table = EntityTable("team", id: \Team.id) {
        EntityColumn("title", \.title)
        EntityColumn("current", \.current)
    }
}

extension Job: TableEntity {
    typealias RawID = UUID

    init(id: Job.ID) { self.id = id }

    static let table = EntityTable("job", id: \Job.id) {
        EntityColumn("title", \.title)
        EntityColumn("team", \.team, .references(onDelete: .cascade))
        EntityColumn("owner", \.owner)
    }
}

/// Opens a store with all three, and checks on the way out that the test has left it sound.
func withCrew(
    _ place: Place, configuration: Skiathos.Configuration = Skiathos.Configuration(),
    _ body: @Sendable (DataAccessLayer) async throws -> Void
) async throws {
    let directory = try TemporaryDirectory()
    let source = place == .memory ? StoreSource.inMemory : .sqlite(directory.file("crew.sqlite"))
    try await withStore(
        source, entities: [Person.self, Team.self, Job.self], configuration: configuration, body)
    withExtendedLifetime(directory) {}
}
