import PersistenceService
import Skiathos
import SkiathosTesting

/// Where a test's store is kept.
enum Place: String, CaseIterable, Sendable {
    case file, memory
}

/// All fixtures.
let fixtures: [any Entity.Type] = [Author.self, Book.self, Chapter.self, Tag.self]

/// Opens a store with all fixtures, and checks on the way out that the test has left it sound.
func withStore(
    _ place: Place = .file, configuration: Configuration = Configuration(),
    _ body: @Sendable (DataAccessLayer) async throws -> Void
) async throws {
    let directory = try TemporaryDirectory()
    let source = place == .memory ? StoreSource.inMemory : .sqlite(directory.file("test.sqlite"))
    try await withStore(source, entities: fixtures, configuration: configuration, body)
    withExtendedLifetime(directory) {}
}

/// Makes a service over a store with all fixtures.
func withService(
    _ place: Place = .file,
    _ body: @Sendable (StorePersistenceService, DataAccessLayer) async throws -> Void
) async throws {
    try await withStore(place) { dal in try await body(StorePersistenceService(dal), dal) }
}

/// An error of a test's own.
struct Refused: Error, Equatable {}

extension DataAccessLayer {
    /// The author as it is in the store.
    func author(_ id: Author.ID) async throws -> Author? {
        try await read { try Author.find(id, in: $0) }
    }

    /// The names of all authors in the store.
    func names() async throws -> [String] {
        try await read { try Author.all(orderedBy: { [$0.name.ascending] }, in: $0).map(\.name) }
    }

    /// Creates an author directly in the store, without the service.
    func addAuthor(_ name: String, age: Int = 0) async throws -> Author.ID {
        try await write { context in
            try Author.create(in: context) {
                $0.name = name
                $0.age = age
            }.id
        }
    }
}

extension PersistenceService {
    /// The author as the service sees it.
    func author(_ id: Author.ID) async throws -> Author? {
        try await fetch(Author.self, ids: [id]).found.first
    }

    /// The names of all authors as the service sees them.
    func names() async throws -> [String] {
        try await fetch(Author.self, orderedBy: { [$0.name.ascending] }).map(\.name)
    }

    /// Changes an author.
    func change(
        _ id: Author.ID, _ depth: SaveDepth = .keep, merging policy: MergePolicy = .throwing,
        _ body: @escaping @Sendable (Managed<Author>) throws -> Void
    ) async throws {
        try await update(Author.self, ids: [id], merging: policy) { authors, _ in
            for author in authors { try body(author) }
            return depth
        }
    }
}
