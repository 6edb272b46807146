package import Foundation
package import Skiathos

/// A row that refers to its own kind and to persons, with some columns of the same names as theirs at
/// other positions.
package struct Team: Sendable, Equatable {
    package var id: EntityID<Team> = .unassigned
    package var text = ""
    package var number = 0
    package var lead: Person.ID?
    package var parent: Team.ID?
    package var size = 0
    package var optionalNumber: Int?
    package var weight = 0.0
    package var optionalText: String?
    package var price = Decimal(0)
    package var date = Date(timeIntervalSinceReferenceDate: 0)
    package var optionalDate: Date?
    package var flag = false

    package var members: ToMany<Person> { ToMany(\.team, of: id) }
    /// The members with a report whose number is smaller than their own.
    package var leaders: ToMany<Person> {
        members.filter { member in member.reports.exists { $0.number < member.number } }
    }
    package var children: ToMany<Team> { ToMany(\.parent, of: id) }
    package var guests: ManyToMany<Person, Visit> { ManyToMany(\.team, \.person, of: id) }
}

extension Team: TableEntity {
    package init(id: Team.ID) { self.id = id }

    package static let table = EntityTable("team", id: \Team.id) {
        EntityColumn("text", \.text, .indexed)
        EntityColumn("number", \.number)
        EntityColumn("lead", \.lead)
        EntityColumn("parent", \.parent, .indexed)
        EntityColumn("size", \.size)
        EntityColumn("optionalNumber", \.optionalNumber)
        EntityColumn("weight", \.weight)
        EntityColumn("optionalText", \.optionalText)
        EntityColumn("price", \.price)
        EntityColumn("date", \.date)
        EntityColumn("optionalDate", \.optionalDate)
        EntityColumn("flag", \.flag)
    }
}

extension Team: ScopeEntity {
    package static let key = Field<Team, Team.ID>("id", \.id)

    package static let fields = Fields<Team>(
        numbers: [Field("number", \.number), Field("size", \.size)],
        optionalNumbers: [Field("optionalNumber", \.optionalNumber)],
        weights: [Field("weight", \.weight)],
        texts: [Field("text", \.text)],
        optionalTexts: [Field("optionalText", \.optionalText)],
        prices: [Field("price", \.price)],
        dates: [Field("date", \.date)],
        optionalDates: [Field("optionalDate", \.optionalDate)],
        flags: [Field("flag", \.flag)],
        persons: [Field("lead", \.lead)],
        teams: [Field("parent", \.parent)])

    package static let paths: [any PathStep<Team>] = [
        Path<Team, Person>("lead", { $0.lead }) { $0.leads[$1] },
        Path<Team, Team>("parent", { $0.parent }) { $0.parents[$1] },
        Path<Team, Team>("lead.team", { $0.lead.team }) { world, row in
            world.leads[row].flatMap { world.teamsOfPersons[$0] }
        },
        Path<Team, Person>("parent.lead", { $0.parent.lead }) { world, row in
            world.parents[row].flatMap { world.leads[$0] }
        },
        Path<Team, Person>("lead.team.lead", { $0.lead.team.lead }) { world, row in
            world.leads[row].flatMap { world.teamsOfPersons[$0] }.flatMap { world.leads[$0] }
        },
    ]

    package static let relations: [any RelatedRows<Team>] = [
        RelationRows<Team, Person>("members", { $0.members }) { $0.members[$1] },
        RelationRows<Team, Person>("leaders", { $0.leaders }) { world, row in
            world.members[row].filter { member in
                let number = world.persons[member].number
                return world.reports[member].contains { world.persons[$0].number < number }
            }
        },
        RelationRows<Team, Team>("children", { $0.children }) { $0.children[$1] },
        RelationRows<Team, Visit>("guests.links", { $0.guests.links }) { $0.visitsOfTeams[$1] },
        RelationRows<Team, Team>("parent.children", { $0.parent.children }) { world, row in
            world.parents[row].map { world.children[$0] } ?? []
        },
        RelationRows<Team, Person>("lead.reports", { $0.lead.reports }) { world, row in
            world.leads[row].map { world.reports[$0] } ?? []
        },
    ]

    package static let connections: [any ConnectedRows<Team>] = [
        Connection<Team, Person, Visit>("guests", { $0.guests }) { world, row in
            world.visitsOfTeams[row].map { world.personsOfVisits[$0] }
        }
    ]

    package static let descents: [Descent<Team>] = [
        Descent("parent", \.parent) { $0.parents[$1] }
    ]

    package static func rows(in world: ScopeWorld) -> [Team] { world.teams }

    package static func random(_ values: inout RandomValues) -> Team {
        var row = Team()
        row.text = values.text()
        row.number = values.number()
        row.lead = values.optional { .init(rawValue: $0.id(ScopeWorld.persons)) }
        row.parent = values.optional { .init(rawValue: $0.id(ScopeWorld.teams)) }
        row.size = values.number()
        row.optionalNumber = values.optional { $0.number() }
        row.weight = values.weight()
        row.optionalText = values.optional { $0.text() }
        row.price = values.price()
        row.date = values.date()
        row.optionalDate = values.optional { $0.date() }
        row.flag = values.flag()
        return row
    }
}
