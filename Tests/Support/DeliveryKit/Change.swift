#if RequestCore
package import Skiathos

/// A change that a request belongs to, described by a table as without the macro.
package struct Change: Sendable, Hashable {
    /// The ID, which grows with the order of enqueueing.
    package var id: EntityID<Change> = .unassigned
    /// What was changed.
    package var key: String = ""
    /// Identifies this change.
    package var token: String = ""
}

extension Change: TableEntity {
    package init(id: Change.ID) { self.id = id }

    package static let table = EntityTable("change", id: \Change.id) {
        EntityColumn("key", \.key)
        EntityColumn("token", \.token, .unique)
    }
}
#endif
