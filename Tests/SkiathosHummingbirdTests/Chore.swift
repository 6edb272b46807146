#if Hummingbird
import Skiathos

/// Described by a table, as without the macro.
struct Chore: Sendable, Equatable, Codable {
    var id: EntityID<Chore> = .unassigned
    var title = ""
    var rank = 0
}

extension Chore: TableEntity {
    init(id: Chore.ID) { self.id = id }

    static let table = EntityTable("chore", id: \Chore.id) {
        EntityColumn("title", \.title)
        EntityColumn("rank", \.rank)
    }
}
#endif
