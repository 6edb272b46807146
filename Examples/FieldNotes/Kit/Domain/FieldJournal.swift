#if Macros
package import PersistenceService

/// The journal over whatever keeps its data.
package struct FieldJournal: Journal {
    package let persistence: any PersistenceService
    package let almanac: any Almanac

    package func addSite(_ name: String) async throws -> Site {
        do {
            return try await persistence.create(Site.self, saving: .store) { $0.name = name }
        } catch let error as StoreError where error.code == .uniqueViolation {
            throw JournalError.siteExists(name)
        }
    }

    package func record(_ draft: SightingDraft) async throws -> Entry {
        let sites = try await persistence.fetch(Site.self, where: { $0.name == draft.site })
        guard let site = sites.first else { throw JournalError.unknownSite(draft.site) }
        let sighting = try draft.sighting(at: site.id, today: almanac.today)
        return Entry(
            sighting: try await persistence.create(sighting, saving: .store), site: site.name)
    }

    package func takeIn(_ lines: [String]) async throws -> TakenIn {
        let sites = try await persistence.fetch(Site.self)
        let ids = Dictionary(uniqueKeysWithValues: sites.map { ($0.name, $0.id) })
        let today = almanac.today
        // One write; a line that makes no sense does not keep the others out.
        let created = try await persistence.create(Sighting.self, from: lines, saving: .store) {
            do {
                let draft = try SightingDraft(line: $0)
                guard let site = ids[draft.site] else {
                    throw JournalError.invalidDraft("names a site that is not there")
                }
                return try draft.sighting(at: site, today: today)
            } catch let JournalError.invalidDraft(reason) {
                throw TransformRefusal(reason)
            }
        }
        return TakenIn(
            sightings: created.values.count,
            leftOut: created.refused.map {
                TakenIn.LeftOutLine(number: $0.index + 1, reason: $0.reason ?? "")
            })
    }

    package func entries(at site: String?) async throws -> [Entry] {
        let parameters = FetchParameters(
            Sighting.where { sighting in
                site.map { name in sighting.site.name == name } ?? .always
            }.order { [$0.day.ascending, $0.id.ascending] }.prefetching(\.site))
        return try await persistence.fetch(parameters) { try Entry($0, in: $1) }
    }

    package func totals() async throws -> [SpeciesTotal] {
        try await persistence.read { try SpeciesTotal.all(in: $0) }
    }

    package func edit(_ id: Sighting.ID) async throws -> SightingEditor {
        try await SightingEditor(id, above: persistence)
    }
}
#endif
