package import Foundation
package import Skiathos

/// What connects persons with teams.
package struct Visit: Sendable, Equatable {
    package var id: EntityID<Visit> = .unassigned
    package var person: Person.ID = .unassigned
    package var team: Team.ID = .unassigned
    package var number = 0
    package var date = Date(timeIntervalSinceReferenceDate: 0)
}

extension Visit: TableEntity {
    package init(id: Visit.ID) { self.id = id }

    package static let table = EntityTable("visit", id: \Visit.id) {
        EntityColumn("person", \.person, .references(onDelete: .cascade))
        EntityColumn("team", \.team, .references(onDelete: .cascade))
        EntityColumn("number", \.number)
        EntityColumn("date", \.date)
    }
}

extension Visit: ScopeEntity {
    package static let key = Field<Visit, Visit.ID>("id", \.id)

    package static let fields = Fields<Visit>(
        numbers: [Field("number", \.number)], dates: [Field("date", \.date)])

    package static let paths: [any PathStep<Visit>] = [
        RequiredPath<Visit, Person>("person", { $0.person }) { $0.personsOfVisits[$1] },
        RequiredPath<Visit, Team>("team", { $0.team }) { $0.teamsOfVisits[$1] },
        Path<Visit, Person>("person.boss", { $0.person.boss }) { world, row in
            world.personsOfVisits[row].flatMap { world.bosses[$0] }
        },
    ]

    package static let relations: [any RelatedRows<Visit>] = [
        RelationRows<Visit, Person>("person.reports", { $0.person.reports }) { world, row in
            world.personsOfVisits[row].map { world.reports[$0] } ?? []
        },
        RelationRows<Visit, Team>("team.children", { $0.team.children }) { world, row in
            world.teamsOfVisits[row].map { world.children[$0] } ?? []
        },
    ]

    package static let connections: [any ConnectedRows<Visit>] = []
    package static let descents: [Descent<Visit>] = []

    package static func rows(in world: ScopeWorld) -> [Visit] { world.visits }

    package static func random(_ values: inout RandomValues) -> Visit {
        var row = Visit()
        row.person = .init(rawValue: values.id(ScopeWorld.persons))
        row.team = .init(rawValue: values.id(ScopeWorld.teams))
        row.number = values.number()
        row.date = values.date()
        return row
    }
}
