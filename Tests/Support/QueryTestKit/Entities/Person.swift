package import Foundation
package import Skiathos

/// A row that refers to its own kind and to teams, with columns of every kind.
package struct Person: Sendable, Equatable {
    package var id: EntityID<Person> = .unassigned
    package var boss: Person.ID?
    package var team: Team.ID?
    package var number = 0
    package var size = 0
    package var optionalNumber: Int?
    package var weight = 0.0
    package var optionalWeight: Double?
    package var text = ""
    package var optionalText: String?
    package var price = Decimal(0)
    package var optionalPrice: Decimal?
    package var date = Date(timeIntervalSinceReferenceDate: 0)
    package var optionalDate: Date?
    package var flag = false
    package var optionalFlag: Bool?

    package var reports: ToMany<Person> { ToMany(\.boss, of: id) }
    /// Some of them, by a condition of the relation's own.
    package var strongReports: ToMany<Person> { reports.filter { $0.number >= $0.size } }
    package var led: ToMany<Team> { ToMany(\.lead, of: id) }
    package var visited: ManyToMany<Team, Visit> { ManyToMany(\.person, \.team, of: id) }
}

extension Person: TableEntity {
    package init(id: Person.ID) { self.id = id }

    package static let table = EntityTable("person", id: \Person.id) {
        EntityColumn("boss", \.boss)
        EntityColumn("team", \.team, .indexed)
        EntityColumn("number", \.number, .indexed)
        EntityColumn("size", \.size)
        EntityColumn("optionalNumber", \.optionalNumber)
        EntityColumn("weight", \.weight)
        EntityColumn("optionalWeight", \.optionalWeight)
        EntityColumn("text", \.text)
        EntityColumn("optionalText", \.optionalText)
        EntityColumn("price", \.price)
        EntityColumn("optionalPrice", \.optionalPrice)
        EntityColumn("date", \.date)
        EntityColumn("optionalDate", \.optionalDate)
        EntityColumn("flag", \.flag)
        EntityColumn("optionalFlag", \.optionalFlag)
    }
}

extension Person: ScopeEntity {
    package static let key = Field<Person, Person.ID>("id", \.id)

    package static let fields = Fields<Person>(
        numbers: [Field("number", \.number), Field("size", \.size)],
        optionalNumbers: [Field("optionalNumber", \.optionalNumber)],
        weights: [Field("weight", \.weight)],
        optionalWeights: [Field("optionalWeight", \.optionalWeight)],
        texts: [Field("text", \.text)],
        optionalTexts: [Field("optionalText", \.optionalText)],
        prices: [Field("price", \.price)],
        optionalPrices: [Field("optionalPrice", \.optionalPrice)],
        dates: [Field("date", \.date)],
        optionalDates: [Field("optionalDate", \.optionalDate)],
        flags: [Field("flag", \.flag)],
        optionalFlags: [Field("optionalFlag", \.optionalFlag)],
        persons: [Field("boss", \.boss)],
        teams: [Field("team", \.team)])

    package static let paths: [any PathStep<Person>] = [
        Path<Person, Person>("boss", { $0.boss }) { $0.bosses[$1] },
        Path<Person, Team>("team", { $0.team }) { $0.teamsOfPersons[$1] },
        Path<Person, Person>("boss.boss", { $0.boss.boss }) { world, row in
            world.bosses[row].flatMap { world.bosses[$0] }
        },
        Path<Person, Team>("boss.team", { $0.boss.team }) { world, row in
            world.bosses[row].flatMap { world.teamsOfPersons[$0] }
        },
        Path<Person, Person>("team.lead", { $0.team.lead }) { world, row in
            world.teamsOfPersons[row].flatMap { world.leads[$0] }
        },
    ]

    package static let relations: [any RelatedRows<Person>] = [
        RelationRows<Person, Person>("reports", { $0.reports }) { $0.reports[$1] },
        RelationRows<Person, Person>("strongReports", { $0.strongReports }) { world, row in
            world.reports[row].filter { world.persons[$0].number >= world.persons[$0].size }
        },
        RelationRows<Person, Team>("led", { $0.led }) { $0.led[$1] },
        RelationRows<Person, Visit>("visited.links", { $0.visited.links }) {
            $0.visitsOfPersons[$1]
        },
        RelationRows<Person, Person>("boss.reports", { $0.boss.reports }) { world, row in
            world.bosses[row].map { world.reports[$0] } ?? []
        },
        RelationRows<Person, Person>("team.members", { $0.team.members }) { world, row in
            world.teamsOfPersons[row].map { world.members[$0] } ?? []
        },
        RelationRows<Person, Team>("team.children", { $0.team.children }) { world, row in
            world.teamsOfPersons[row].map { world.children[$0] } ?? []
        },
    ]

    package static let connections: [any ConnectedRows<Person>] = [
        Connection<Person, Team, Visit>("visited", { $0.visited }) { world, row in
            world.visitsOfPersons[row].map { world.teamsOfVisits[$0] }
        }
    ]

    package static let descents: [Descent<Person>] = [
        Descent("boss", \.boss) { $0.bosses[$1] }
    ]

    package static func rows(in world: ScopeWorld) -> [Person] { world.persons }

    package static func random(_ values: inout RandomValues) -> Person {
        var row = Person()
        row.boss = values.optional { .init(rawValue: $0.id(ScopeWorld.persons)) }
        row.team = values.optional { .init(rawValue: $0.id(ScopeWorld.teams)) }
        row.number = values.number()
        row.size = values.number()
        row.optionalNumber = values.optional { $0.number() }
        row.weight = values.weight()
        row.optionalWeight = values.optional { $0.weight() }
        row.text = values.text()
        row.optionalText = values.optional { $0.text() }
        row.price = values.price()
        row.optionalPrice = values.optional { $0.price() }
        row.date = values.date()
        row.optionalDate = values.optional { $0.date() }
        row.flag = values.flag()
        row.optionalFlag = values.optional { $0.flag() }
        return row
    }
}
