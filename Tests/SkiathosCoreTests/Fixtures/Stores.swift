import Skiathos
import SkiathosTesting

/// Where a test's store is kept.
///
/// Most tests run in both.
enum Place: String, CaseIterable, Sendable {
    case file, memory
}

/// All fixtures.
private let entities: [any Entity.Type] = [
    User.self, Company.self, Country.self, Continent.self, Reading.self, Sample.self,
    Specimen.self,
]

/// Opens a store with all fixtures, and checks on the way out that the test has left it sound.
func withStore(
    _ place: Place = .file, configuration: Configuration = Configuration(),
    _ body: @Sendable (DataAccessLayer) async throws -> Void
) async throws {
    let directory = try TemporaryDirectory()
    let source = place == .memory ? StoreSource.inMemory : .sqlite(directory.file("test.sqlite"))
    try await withStore(source, entities: entities, configuration: configuration, body)
    withExtendedLifetime(directory) {}
}

extension DataAccessLayer {
    /// Opens a store with all fixtures at a path.
    static func fixture(
        at path: String, configuration: Configuration = Configuration()
    ) async throws -> DataAccessLayer {
        try await fixture(in: .sqlite(path), configuration: configuration)
    }

    /// Opens a store with all fixtures.
    static func fixture(
        in source: StoreSource, configuration: Configuration = Configuration()
    ) async throws -> DataAccessLayer {
        try await open(source, entities: entities, configuration: configuration)
    }
}
