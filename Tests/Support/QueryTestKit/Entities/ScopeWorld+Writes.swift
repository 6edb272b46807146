package import Skiathos

extension ScopeWorld {
    /// Changes some random rows, and those that the change of others changes.
    ///
    /// - Returns: All rows as they are then.
    package func changed(
        _ values: inout RandomValues, in context: WriteContext
    ) throws -> ScopeWorld {
        var world = self
        for _ in 0...values.below(3) { world = try world.step(&values, in: context) }
        return world
    }

    private func step(_ values: inout RandomValues, in context: WriteContext) throws -> ScopeWorld {
        switch values.below(10) {
        case 0: try inserting(&values, in: context)
        case 1 where persons.count > 4: try deletingPerson(&values, in: context)
        case 2 where teams.count > 3: try deletingTeam(&values, in: context)
        case 3, 4, 5: try changingTeam(&values, in: context)
        case 6 where !visits.isEmpty: try changingVisit(&values, in: context)
        default: try changingPerson(&values, in: context)
        }
    }

    private func inserting(
        _ values: inout RandomValues, in context: WriteContext
    ) throws -> ScopeWorld {
        var (person, visit) = (Person.random(&values), Visit.random(&values))
        person.id = .init(rawValue: (persons.map(\.id.rawValue).max() ?? 0) + 100)
        person.boss = values.pick(persons).id
        person.team = values.pick(teams).id
        visit.id = .init(rawValue: (visits.map(\.id.rawValue).max() ?? 0) + 100)
        visit.person = person.id
        visit.team = values.pick(teams).id
        try Person.insert(person, in: context)
        try Visit.insert(visit, in: context)
        return ScopeWorld(persons: persons + [person], teams: teams, visits: visits + [visit])
    }

    /// References to a deleted row are lost, and links to it deleted.
    private func deletingPerson(
        _ values: inout RandomValues, in context: WriteContext
    ) throws -> ScopeWorld {
        let id = values.pick(persons).id
        try Person.find(id, in: context)?.delete()
        return ScopeWorld(
            persons: persons.filter { $0.id != id }.map { row in
                var row = row
                if row.boss == id { row.boss = nil }
                return row
            },
            teams: teams.map { row in
                var row = row
                if row.lead == id { row.lead = nil }
                return row
            }, visits: visits.filter { $0.person != id })
    }

    private func deletingTeam(
        _ values: inout RandomValues, in context: WriteContext
    ) throws -> ScopeWorld {
        let id = values.pick(teams).id
        try Team.find(id, in: context)?.delete()
        return ScopeWorld(
            persons: persons.map { row in
                var row = row
                if row.team == id { row.team = nil }
                return row
            },
            teams: teams.filter { $0.id != id }.map { row in
                var row = row
                if row.parent == id { row.parent = nil }
                return row
            }, visits: visits.filter { $0.team != id })
    }

    private func changingPerson(
        _ values: inout RandomValues, in context: WriteContext
    ) throws -> ScopeWorld {
        var persons = persons
        let position = values.below(persons.count)
        var row = persons[position]
        let object = try Person.find(row.id, in: context)
        switch values.below(4) {
        case 0:
            row.boss = values.optional { $0.pick(persons).id }
            object?.boss = row.boss
        case 1:
            row.team = values.optional { $0.pick(teams).id }
            object?.team = row.team
        case 2:
            row.text = values.text()
            row.date = values.date()
            object?.text = row.text
            object?.date = row.date
        default:
            row.number = values.number()
            row.optionalNumber = values.optional { $0.number() }
            object?.number = row.number
            object?.optionalNumber = row.optionalNumber
        }
        persons[position] = row
        return ScopeWorld(persons: persons, teams: teams, visits: visits)
    }

    private func changingTeam(
        _ values: inout RandomValues, in context: WriteContext
    ) throws -> ScopeWorld {
        var teams = teams
        let position = values.below(teams.count)
        var row = teams[position]
        let object = try Team.find(row.id, in: context)
        switch values.below(3) {
        case 0:
            row.parent = values.optional { $0.pick(teams).id }
            object?.parent = row.parent
        case 1:
            row.lead = values.optional { $0.pick(persons).id }
            object?.lead = row.lead
        default:
            row.size = values.number()
            row.price = values.price()
            object?.size = row.size
            object?.price = row.price
        }
        teams[position] = row
        return ScopeWorld(persons: persons, teams: teams, visits: visits)
    }

    private func changingVisit(
        _ values: inout RandomValues, in context: WriteContext
    ) throws -> ScopeWorld {
        var visits = visits
        let position = values.below(visits.count)
        visits[position].number = values.number()
        visits[position].team = values.pick(teams).id
        let object = try Visit.find(visits[position].id, in: context)
        object?.number = visits[position].number
        object?.team = visits[position].team
        return ScopeWorld(persons: persons, teams: teams, visits: visits)
    }
}
