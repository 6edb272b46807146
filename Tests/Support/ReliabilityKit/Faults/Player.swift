import Skiathos

/// What players refer to.
struct Team: Sendable, Equatable {
    var id: EntityID<Team> = .unassigned
    var name = ""
}

extension Team: TableEntity {
    init(id: Team.ID) { self.id = id }

    static let table = EntityTable("team", id: \Team.id) { EntityColumn("name", \.name) }
}

/// A row with all for which it may be refused, and an index beside.
struct Player: Sendable, Equatable {
    var id: EntityID<Player> = .unassigned
    var name = ""
    var rank = 0
    var team: Team.ID?
    var text = ""
}

extension Player: TableEntity {
    init(id: Player.ID) { self.id = id }

    static let table = EntityTable("player", id: \Player.id) {
        EntityColumn("name", \.name, .unique)
        EntityColumn("rank", \.rank, .indexed)
        EntityColumn("team", \.team)
        EntityColumn("text", \.text)
    }
}
