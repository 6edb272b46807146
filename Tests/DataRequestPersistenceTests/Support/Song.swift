#if RequestCore
import Skiathos

/// A song as the client keeps it, conformed by hand as without the macro.
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

extension Song: Entity {
    struct Columns: Sendable {
        let id = Column<Song, Song.ID>(0, Coding.of(Song.ID.self))
        let serverID = Column<Song, Int>(1, Coding.of(Int.self))
        let title = Column<Song, String>(2, Coding.of(String.self))
        let code = Column<Song, String?>(3, Coding.of(String?.self))
        let note = Column<Song, String>(4, Coding.of(String.self))
    }

    static let columns = Columns()

    static let schema = EntitySchema(
        Song.self, table: "song", id: Coding.of(Song.ID.self),
        columns: [
            ColumnSchema("serverID", Coding.of(Int.self)),
            ColumnSchema("title", Coding.of(String.self)),
            ColumnSchema("code", Coding.of(String?.self)),
            ColumnSchema("note", Coding.of(String.self)),
        ], unique: [["serverID"], ["code"]], indexed: [])

    static func column(at keyPath: PartialKeyPath<Song>) -> Int? {
        switch keyPath {
        case \Song.id: 0
        case \Song.serverID: 1
        case \Song.title: 2
        case \Song.code: 3
        case \Song.note: 4
        default: nil
        }
    }

    init(id: Song.ID) { self.id = id }

    init(row: RowReader) throws {
        id = try row.value(Coding.of(Song.ID.self), at: 0)
        serverID = try row.value(Coding.of(Int.self), at: 1)
        title = try row.value(Coding.of(String.self), at: 2)
        code = try row.value(Coding.of(String?.self), at: 3)
        note = try row.value(Coding.of(String.self), at: 4)
    }

    func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        switch column {
        case 0: try parameters.bind(id, Coding.of(Song.ID.self), at: position)
        case 1: try parameters.bind(serverID, Coding.of(Int.self), at: position)
        case 2: try parameters.bind(title, Coding.of(String.self), at: position)
        case 3: try parameters.bind(code, Coding.of(String?.self), at: position)
        default: try parameters.bind(note, Coding.of(String.self), at: position)
        }
    }

    func changedColumns(from other: Song) -> ColumnSet {
        var changed = ColumnSet()
        changed.insert(1, if: !Coding.of(Int.self).areIdentical(serverID, other.serverID))
        changed.insert(2, if: !Coding.of(String.self).areIdentical(title, other.title))
        changed.insert(3, if: !Coding.of(String?.self).areIdentical(code, other.code))
        changed.insert(4, if: !Coding.of(String.self).areIdentical(note, other.note))
        return changed
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
