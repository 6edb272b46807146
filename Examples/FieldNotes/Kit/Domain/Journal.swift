#if Macros
import PersistenceService

/// What the application does with its notes; commands and editors know nothing else of them.
package protocol Journal: Sendable {
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
    /// Opens an entry for changes, which stay private until they are saved.
    func edit(_ id: Sighting.ID) async throws -> SightingEditor
}

/// A sighting that is to be recorded.
package struct SightingDraft: Sendable {
    package var site: String
    package var species: String
    package var count: Int
    package var day: String?
    package var remark: String

    package init(
        site: String, species: String, count: Int = 1, day: String? = nil, remark: String = ""
    ) {
        self.site = site
        self.species = species
        self.count = count
        self.day = day
        self.remark = remark
    }
}

/// A sighting with the name of its site.
package struct Entry: Sendable, Equatable {
    package var sighting: Sighting
    package var site: String
}

/// How many of a species were seen.
package struct SpeciesTotal: Sendable, Equatable {
    package var species: String
    package var count: Int
}

/// What came of taking lines in.
package struct TakenIn: Sendable, Equatable {
    /// How many sightings are new.
    package var sightings: Int
    /// The numbers of the lines that were left out, from 1, and why.
    package var leftOut: [LeftOutLine]

    package struct LeftOutLine: Sendable, Equatable {
        package var number: Int
        package var reason: String
    }
}
#endif
