import Skiathos

/// An author with a unique name, and an address that is stored as JSON.
struct Author: Sendable, Equatable {
    struct Address: Sendable, Equatable, Codable {
        var city = ""
        var lines: [String] = []
    }

    var id: EntityID<Author> = .unassigned
    var name = ""
    var age = 0
    var email: String?
    var address = Address()
}

extension Author: TableEntity {
    init(id: Author.ID) { self.id = id }

    static let table = EntityTable("author", id: \Author.id) {
        EntityColumn("name", \.name)
        EntityColumn("age", \.age)
        EntityColumn("email", \.email, .unique)
        EntityColumn("address", \.address)
    }
}
