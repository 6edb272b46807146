package import Skiathos

/// What the runs store: a text under a name, and in which write it was last changed.
package struct Item: Sendable, Equatable {
    package var id: EntityID<Item> = .unassigned
    package var sequence = 0
    package var text = ""
}

extension Item: TableEntity {
    package typealias RawID = String

    package init(id: Item.ID) { self.id = id }

    package static let table = EntityTable("item", id: \Item.id) {
        EntityColumn("sequence", \.sequence, .indexed)
        EntityColumn("text", \.text)
    }
}
