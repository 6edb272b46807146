#if RequestCore
import Skiathos

/// A song as the client keeps it, described by a table as without the macro.
struct Song: Sendable, Hashable {
    var id: EntityID<Song> = .unassigned
    /// The number that the server has given it.
    var serverID: Int = 0
    /// What it is called.
    var title: String = ""
    /// A code that no two have.
    var code: String?
    /// What the server does not know.
    var note: String = ""
}

extension Song: TableEntity {
    init(id: Song.ID) { self.id = id }

    static let table = EntityTable("song", id: \Song.id) {
        EntityColumn("serverID", \.serverID, .unique)
        EntityColumn("title", \.title)
        EntityColumn("code", \.code, .unique)
        EntityColumn("note", \.note)
    }
}

extension Song: Decodable {
    private enum CodingKeys: String, CodingKey { case serverID = "id", title, code }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        serverID = try values.decode(Int.self, forKey: .serverID)
        title = try values.decode(String.self, forKey: .title)
        code = try values.decodeIfPresent(String.self, forKey: .code)
    }
}
#endif
