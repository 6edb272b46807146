import Skiathos
import SkiathosTesting

/// A note with a number for its ID; conformed by hand, as without the macro.
struct Note: Sendable, Equatable {
    var id: EntityID<Note> = .unassigned
    var text = ""
    var tag: Tag.ID?
}

/// A tag whose ID is a text, so that its table has no row IDs.
struct Tag: Sendable, Equatable {
    var id: EntityID<Tag> = .unassigned
    var color = ""
}

extension Note: Entity {
    struct Columns: Sendable {
        let id = Column<Note, Note.ID>(0, Coding.of(Note.ID.self))
        let text = Column<Note, String>(1, Coding.of(String.self))
        let tag = Column<Note, Tag.ID?>(2, Coding.of(Tag.ID?.self))
    }
    static let columns = Columns()
    static let schema = EntitySchema(
        Note.self, table: "note", id: Coding.of(Note.ID.self),
        columns: [
            ColumnSchema("text", Coding.of(String.self)),
            ColumnSchema("tag", Coding.of(Tag.ID?.self)),
        ])

    static func column(at keyPath: PartialKeyPath<Note>) -> Int? {
        switch keyPath {
        case \Note.id: 0
        case \Note.text: 1
        case \Note.tag: 2
        default: nil
        }
    }

    init(id: Note.ID) { self.id = id }

    init(row: RowReader) throws {
        id = try row.value(Coding.of(Note.ID.self), at: 0)
        text = try row.value(Coding.of(String.self), at: 1)
        tag = try row.value(Coding.of(Tag.ID?.self), at: 2)
    }

    func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        switch column {
        case 0: try parameters.bind(id, Coding.of(Note.ID.self), at: position)
        case 1: try parameters.bind(text, Coding.of(String.self), at: position)
        default: try parameters.bind(tag, Coding.of(Tag.ID?.self), at: position)
        }
    }

    func changedColumns(from other: Note) -> ColumnSet {
        var changed = ColumnSet()
        changed.insert(1, if: !Coding.of(String.self).areIdentical(text, other.text))
        changed.insert(2, if: !Coding.of(Tag.ID?.self).areIdentical(tag, other.tag))
        return changed
    }
}

extension Tag: Entity {
    typealias RawID = String

    struct Columns: Sendable {
        let id = Column<Tag, Tag.ID>(0, Coding.of(Tag.ID.self))
        let color = Column<Tag, String>(1, Coding.of(String.self))
    }
    static let columns = Columns()
    static let schema = EntitySchema(
        Tag.self, table: "tag", id: Coding.of(Tag.ID.self),
        columns: [ColumnSchema("color", Coding.of(String.self))])

    static func column(at keyPath: PartialKeyPath<Tag>) -> Int? {
        switch keyPath {
        case \Tag.id: 0
        case \Tag.color: 1
        default: nil
        }
    }

    init(id: Tag.ID) { self.id = id }

    init(row: RowReader) throws {
        id = try row.value(Coding.of(Tag.ID.self), at: 0)
        color = try row.value(Coding.of(String.self), at: 1)
    }

    func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        switch column {
        case 0: try parameters.bind(id, Coding.of(Tag.ID.self), at: position)
        default: try parameters.bind(color, Coding.of(String.self), at: position)
        }
    }

    func changedColumns(from other: Tag) -> ColumnSet {
        var changed = ColumnSet()
        changed.insert(1, if: !Coding.of(String.self).areIdentical(color, other.color))
        return changed
    }
}

/// Where a test's store is kept.
enum Place: String, CaseIterable, Sendable {
    case file, memory
}

/// Opens a store with both entities, and checks on the way out that the test has left it sound.
func withNotes(
    _ place: Place, declaring objects: Set<String> = [],
    _ body: @Sendable (DataAccessLayer) async throws -> Void
) async throws {
    let directory = try TemporaryDirectory()
    let source = place == .memory ? StoreSource.inMemory : .sqlite(directory.file("test.sqlite"))
    var configuration = Skiathos.Configuration()
    configuration.declaredObjects = objects
    try await withStore(
        source, entities: [Note.self, Tag.self], configuration: configuration, body)
    withExtendedLifetime(directory) {}
}
