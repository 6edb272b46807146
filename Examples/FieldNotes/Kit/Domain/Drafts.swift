#if Macros
import Foundation
package import PersistenceService

extension SightingDraft {
    /// Reads a line of the form `site; species; count; day; remark`, of which the last three may be
    /// missing.
    package init(line: String) throws {
        let fields = line.split(separator: ";", omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        guard fields.count >= 2 else {
            throw JournalError.invalidDraft("needs a site and a species, with ';' between")
        }
        self.init(site: fields[0], species: fields[1])
        if fields.count > 2, !fields[2].isEmpty {
            guard let count = Int(fields[2]) else {
                throw JournalError.invalidDraft("has a count that is no number")
            }
            self.count = count
        }
        if fields.count > 3, !fields[3].isEmpty { day = fields[3] }
        if fields.count > 4 { remark = fields[4...].joined(separator: ";") }
    }

    /// The sighting that is meant, if it can be.
    package func sighting(at site: Site.ID, today: String) throws -> Sighting {
        guard !species.isEmpty else { throw JournalError.invalidDraft("has no species") }
        guard count > 0 else { throw JournalError.invalidDraft("has a count below 1") }
        let day = day ?? today
        guard day.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil else {
            throw JournalError.invalidDraft("has a day that is not written like 2026-05-01")
        }
        return Sighting(
            site: site, species: species, count: count, day: day, remark: remark)
    }
}

extension Entry {
    /// Takes the name of the site, which is loaded for all sightings of a query at once.
    package init(_ sighting: Sighting, in context: ReadContext) throws {
        let site = try sighting.related(\.site, in: context)
        self.init(sighting: sighting, site: site?.name ?? "")
    }
}

extension SpeciesTotal {
    /// The totals as a context sees them; in an editor that includes what is not saved.
    package static func all(in context: ReadContext) throws -> [SpeciesTotal] {
        try Sighting.grouped { $0.species }
            .order { $0.count.sum.descending }
            .select { $0.count.sum }
            .all(in: context)
            .map { species, count in SpeciesTotal(species: species, count: count) }
    }
}
#endif
