import Skiathos

/// A value that is replaced.
struct Register: Sendable, Equatable {
    /// The register in which writes count themselves.
    static let counter = EntityID<Register>(rawValue: 1_000)

    var id: EntityID<Register> = .unassigned
    var content = 0
}

extension Register: TableEntity {
    init(id: Register.ID) { self.id = id }

    static let table = EntityTable("register", id: \Register.id) {
        EntityColumn("content", \.content)
    }
}
