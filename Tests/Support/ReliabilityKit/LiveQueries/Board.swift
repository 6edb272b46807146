import Skiathos

/// What the cards of live runs lie in, and are owned by.
struct Lane: Sendable, Equatable {
    var id: EntityID<Lane> = .unassigned
    var name = ""
}

extension Lane: TableEntity {
    init(id: Lane.ID) { self.id = id }

    static let table = EntityTable("lane", id: \Lane.id) {
        EntityColumn("name", \.name, .unique)
    }
}

/// A row of live runs, which loses its owner when that is deleted, and is deleted with its lane.
struct Card: Sendable, Equatable {
    var id: EntityID<Card> = .unassigned
    var title = ""
    var rank = 0
    var points: Double?
    var lane: Lane.ID?
    var owner: Lane.ID?
}

extension Card: TableEntity {
    init(id: Card.ID) { self.id = id }

    static let table = EntityTable("card", id: \Card.id) {
        EntityColumn("title", \.title)
        EntityColumn("rank", \.rank, .indexed)
        EntityColumn("points", \.points)
        EntityColumn("lane", \.lane, .references(onDelete: .cascade))
        EntityColumn("owner", \.owner)
    }
}
