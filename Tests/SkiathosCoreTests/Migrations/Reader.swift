import Skiathos

/// Readers of a library as the first version of a program knows them.
struct OldReader: Sendable, Equatable {
    var id: EntityID<OldReader> = .unassigned
    var name = ""
    var age = ""
    var rank = "novice"
}

extension OldReader: TableEntity {
    init(id: OldReader.ID) { self.id = id }

    static let table = EntityTable("reader", id: \OldReader.id) {
        EntityColumn("name", \.name)
        EntityColumn("age", \.age)
        EntityColumn("rank", \.rank)
    }
}

/// The same readers as the second version knows them: a name of two parts, an age that is a
/// number, a rank that is one of a few, and a new column with a default.
struct NewReader: Sendable, Equatable {
    enum Rank: String, Sendable {
        case beginner, master
    }

    var id: EntityID<NewReader> = .unassigned
    var firstname = "?"
    var lastname = ""
    var age = 0
    var rank = Rank.beginner
    var visits = 7
}

extension NewReader: TableEntity {
    init(id: NewReader.ID) { self.id = id }

    static let table = EntityTable("reader", id: \NewReader.id) {
        EntityColumn("firstname", \.firstname)
        EntityColumn("lastname", \.lastname, .searchable)
        EntityColumn("age", \.age)
        EntityColumn("rank", \.rank)
        EntityColumn("visits", \.visits)
    }
}
