import Skiathos

/// What the cards of live runs belong to.
struct Team: Sendable, Equatable {
    var id: EntityID<Team> = .unassigned
    var name = ""
}

extension Team: TableEntity {
    init(id: Team.ID) { self.id = id }

    static let table = EntityTable("team", id: \Team.id) {
        EntityColumn("name", \.name, .unique)
    }
}

/// A row of live runs. It loses its owner when that is deleted, and is deleted with its team.
struct Card: Sendable, Equatable {
    var id: EntityID<Card> = .unassigned
    var title = ""
    var rank = 0
    var points: Double?
    var team: Team.ID?
    var owner: Team.ID?
}

extension Card: TableEntity {
    init(id: Card.ID) { self.id = id }

    static let table = EntityTable("card", id: \Card.id) {
        EntityColumn("title", \.title)
        EntityColumn("rank", \.rank, .indexed)
        EntityColumn("points", \.points)
        EntityColumn("team", \.team, .references(onDelete: .cascade))
        EntityColumn("owner", \.owner)
    }
}
