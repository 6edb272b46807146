package import Skiathos

/// All rows, and what refers to what; a row is named by its position among those of its entity.
package final class ScopeWorld: Sendable {
    /// How many rows of each entity there are at first, and so the limits of random references.
    static let persons = 10
    static let teams = 6
    static let visits = 9

    package let persons: [Person]
    package let teams: [Team]
    package let visits: [Visit]

    let bosses: [Int?]
    let teamsOfPersons: [Int?]
    let leads: [Int?]
    let parents: [Int?]
    let personsOfVisits: [Int?]
    let teamsOfVisits: [Int?]
    let reports: [[Int]]
    let led: [[Int]]
    let members: [[Int]]
    let children: [[Int]]
    let visitsOfPersons: [[Int]]
    let visitsOfTeams: [[Int]]

    package init(persons: [Person], teams: [Team], visits: [Visit]) {
        self.persons = persons
        self.teams = teams
        self.visits = visits
        bosses = Self.targets(persons.map(\.boss), persons)
        teamsOfPersons = Self.targets(persons.map(\.team), teams)
        leads = Self.targets(teams.map(\.lead), persons)
        parents = Self.targets(teams.map(\.parent), teams)
        personsOfVisits = Self.targets(visits.map { $0.person }, persons)
        teamsOfVisits = Self.targets(visits.map { $0.team }, teams)
        reports = Self.referring(bosses, persons.count)
        led = Self.referring(leads, persons.count)
        members = Self.referring(teamsOfPersons, teams.count)
        children = Self.referring(parents, teams.count)
        visitsOfPersons = Self.referring(personsOfVisits, persons.count)
        visitsOfTeams = Self.referring(teamsOfVisits, teams.count)
    }

    /// Random rows with the IDs from 1 on.
    package convenience init(_ values: inout RandomValues) {
        self.init(
            persons: Self.rows(Self.persons, &values), teams: Self.rows(Self.teams, &values),
            visits: Self.rows(Self.visits, &values))
    }

    private static func rows<E: ScopeEntity>(_ count: Int, _ values: inout RandomValues) -> [E] {
        (1...count).map { number in
            var row = E.random(&values)
            row.id = EntityID(rawValue: Int64(number))
            return row
        }
    }

    private static func targets<E: ScopeEntity>(_ ids: [EntityID<E>?], _ rows: [E]) -> [Int?] {
        let positions = Dictionary(uniqueKeysWithValues: zip(rows.map(\.id), rows.indices))
        return ids.map { $0.flatMap { positions[$0] } }
    }

    private static func referring(_ targets: [Int?], _ count: Int) -> [[Int]] {
        var rows = Array(repeating: [Int](), count: count)
        for (row, target) in targets.enumerated() {
            if let target { rows[target].append(row) }
        }
        return rows
    }

    /// Stores all rows with the IDs that they have.
    package func insert(in context: WriteContext) throws {
        for row in persons { try Person.insert(row, in: context) }
        for row in teams { try Team.insert(row, in: context) }
        for row in visits { try Visit.insert(row, in: context) }
    }

    /// The entities.
    package static let entities: [any Entity.Type] = [Person.self, Team.self, Visit.self]
}
