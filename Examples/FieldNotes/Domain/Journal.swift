#if Macros
import PersistenceService

/// What the application does with its notes; commands and editors know nothing else of them.
protocol Journal: Sendable {
    /// Adds a site.
    func addSite(_ name: String) async throws -> Site
    /// Writes down what was seen; without a day, today.
    func record(_ draft: SightingDraft) async throws -> Entry
    /// Takes many lines in; those that make no sense are left out and reported.
    func takeIn(_ lines: [String]) async throws -> TakenIn
    /// All entries, or those of one site, by day.
    func entries(at site: String?) async throws -> [Entry]
    /// How many of each species were seen, the most first.
    func totals() async throws -> [SpeciesTotal]
    /// Opens an entry for changes, which nobody sees before they are saved.
    func edit(_ id: Sighting.ID) async throws -> SightingEditor
}

/// A sighting that is to be recorded.
struct SightingDraft: Sendable {
    var site: String
    var species: String
    var count = 1
    var day: String?
    var remark = ""
}

/// A sighting with the name of its site.
struct Entry: Sendable, Equatable {
    var sighting: Sighting
    var site: String
}

/// How many of a species were seen.
struct SpeciesTotal: Sendable, Equatable {
    var species: String
    var count: Int
}

/// What came of taking lines in.
struct TakenIn: Sendable, Equatable {
    /// How many sightings are new.
    var sightings: Int
    /// The numbers of the lines that were left out, from 1, and why.
    var leftOut: [LeftOutLine]

    struct LeftOutLine: Sendable, Equatable {
        var number: Int
        var reason: String
    }
}
#endif
