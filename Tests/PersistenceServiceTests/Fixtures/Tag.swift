import Skiathos

/// A tag, whose ID is chosen by the caller.
struct Tag: Sendable, Equatable {
    var id: EntityID<Tag> = .unassigned
    var label = ""
}

extension Tag: TableEntity {
    typealias RawID = String

    init(id: Tag.ID) { self.id = id }

    static let table = EntityTable("tag", id: \Tag.id) {
        EntityColumn("label", \.label)
    }
}
