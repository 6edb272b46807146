#if Tracing
import Skiathos

/// Described by a table, as without the macro.
struct Note: Sendable, Equatable {
    var id: EntityID<Note> = .unassigned
    var text = ""
}

extension Note: TableEntity {
    init(id: Note.ID) { self.id = id }

    static let table = EntityTable("note", id: \Note.id) {
        EntityColumn("text", \.text, .unique)
    }
}
#endif
