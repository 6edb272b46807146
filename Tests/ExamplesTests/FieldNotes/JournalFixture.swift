#if Macros
import FieldNotesKit
import PersistenceService
import PersistenceServiceTesting
import ServiceLocator
import Skiathos

/// A day that does not change.
struct FixedAlmanac: Almanac {
    var today: String
}

/// The application as it is put together, over a fake that keeps its data in memory.
struct JournalFixture {
    let locator: ServiceLocator
    let fake: FakePersistenceService

    init() throws {
        locator = ServiceLocator(named: "test")
        try Composition.register(in: locator, store: .inMemory)
        fake = FakePersistenceService(entities: Site.self, Sighting.self) { context in
            let marsh = try Site.create(in: context) { $0.name = "Marsh" }
            try Sighting.create(in: context) {
                $0.site = marsh.id
                $0.species = "Heron"
                $0.count = 2
                $0.day = "2026-05-01"
            }
        }
    }

    /// Runs a closure with the journal that the locator makes over the fake, at a fixed day.
    func withJournal<Result>(
        _ body: (any Journal) async throws -> Result
    ) async throws -> Result {
        try await locator.withOverrides([
            ServiceOverride((any PersistenceService).self, fake),
            ServiceOverride((any Almanac).self, FixedAlmanac(today: "2026-06-30")),
        ]) {
            try await body(try await locator.resolve())
        }
    }
}
#endif
