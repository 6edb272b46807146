import Skiathos

/// A company with a unique name, described by a table as without the macro.
struct Company: Sendable, Equatable {
    var id: EntityID<Company> = .unassigned
    var name = ""
}

extension Company: TableEntity {
    init(id: Company.ID) { self.id = id }

    static let table = EntityTable("company", id: \Company.id) {
        EntityColumn("name", \.name, .unique)
    }
}
