import Skiathos

/// An element of a list; the elements of a list are ordered by their IDs.
struct ListEntry: Sendable, Equatable {
    var id: EntityID<ListEntry> = .unassigned
    var list = 0
    var value = 0
    /// A register, which has nothing to do with the list.
    var register: Register.ID?
}

extension ListEntry: TableEntity {
    init(id: ListEntry.ID) { self.id = id }

    static let table = EntityTable("listEntry", id: \ListEntry.id) {
        EntityColumn("list", \.list, .indexed)
        EntityColumn("value", \.value)
        EntityColumn("register", \.register)
    }
}
