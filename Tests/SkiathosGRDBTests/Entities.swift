import Skiathos
import SkiathosTesting

/// A note with a number for its ID; described by a table, as without the macro.
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

extension Note: TableEntity {
    init(id: Note.ID) { self.id = id }

    static let table = EntityTable("note", id: \Note.id) {
        EntityColumn("text", \.text)
        EntityColumn("tag", \.tag)
    }
}

extension Tag: TableEntity {
    typealias RawID = String

    init(id: Tag.ID) { self.id = id }

    static let table = EntityTable("tag", id: \Tag.id) {
        EntityColumn("color", \.color)
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
