#if Macros
import Skiathos

/// Brings city records to the store, a batch in each write.
struct Importer {
    let dal: DataAccessLayer
    let batchSize: Int

    /// What became of the records.
    struct Report: Sendable {
        var inserted = 0
        var changed = 0
        var unchanged = 0
        var resumedAfter = 0
    }

    /// Imports all cities after those that an interrupted import of the same content has finished.
    ///
    /// The progress is stored in the same write as the batch, so that neither can be without
    /// the other.
    ///
    /// - Parameters:
    ///   - file: The cities.
    ///   - progress: Called after each batch with the number of finished records.
    func run(_ file: CityFile, progress: (Int) -> Void) async throws -> Report {
        let id = ImportProgress.ID(rawValue: file.fingerprint)
        let finished = try await dal.write { context in
            // What another, interrupted import has stored may be changed by this one, so that
            // one has to begin anew.
            try ImportProgress.deleteAll(where: { $0.id != id }, in: context)
            return try ImportProgress.find(id, in: context)?.finishedRecords ?? 0
        }
        var report = Report(resumedAfter: finished)
        var next = finished
        while next < file.cities.count {
            let end = min(next + batchSize, file.cities.count)
            let counts = try await store(Array(file.cities[next..<end]), id, finished: end)
            report.inserted += counts.inserted
            report.changed += counts.changed
            report.unchanged += counts.unchanged
            next = end
            progress(end)
        }
        try await dal.write { try ImportProgress.find(id, in: $0)?.delete() }
        return report
    }

    private func store(
        _ cities: [CityRecord], _ progress: ImportProgress.ID, finished: Int
    ) async throws -> Report {
        try await dal.write { context in
            var report = Report()
            // One query for all cities of the batch; each is found in memory afterwards.
            _ = try City.find(cities.map { City.ID(rawValue: $0.number) }, in: context)
            var places = Places(context: context)
            for record in cities {
                let country = try places.country(record.country)
                let region = try places.region(record.region, of: country)
                let id = City.ID(rawValue: record.number)
                if let city = try City.find(id, in: context) {
                    city.name = record.name
                    city.country = country
                    city.region = region
                    if city.changedColumns.isEmpty {
                        report.unchanged += 1
                    } else {
                        report.changed += 1
                    }
                } else {
                    try City.create(id: id, in: context) { city in
                        city.name = record.name
                        city.country = country
                        city.region = region
                    }
                    report.inserted += 1
                }
            }
            try ImportProgress.upsert(ImportProgress(id: progress), in: context).finishedRecords =
                finished
            return report
        }
    }
}

/// Finds or creates the countries and regions of one write, asking the store once for each.
private struct Places {
    let context: WriteContext
    private var countries: [String: Country.ID] = [:]
    private var regions: [RegionKey: Region.ID] = [:]

    private struct RegionKey: Hashable {
        let name: String
        let country: Country.ID
    }

    init(context: WriteContext) { self.context = context }

    mutating func country(_ name: String) throws -> Country.ID {
        if let known = countries[name] { return known }
        let id = try Country.upsert(Country(name: name), by: \.name, in: context).id
        countries[name] = id
        return id
    }

    mutating func region(_ name: String, of country: Country.ID) throws -> Region.ID? {
        guard !name.isEmpty else { return nil }
        let key = RegionKey(name: name, country: country)
        if let known = regions[key] { return known }
        let id = try Region.upsert(
            Region(name: name, country: country), by: \.name, \.country, in: context
        ).id
        regions[key] = id
        return id
    }
}
#endif
