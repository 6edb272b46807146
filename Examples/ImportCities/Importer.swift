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
        var bad: [BadRecord] = []
        var resumedAfter = 0
    }

    /// Imports all records after those that an interrupted import of the same file has
    /// finished.
    ///
    /// The progress is stored in the same write as the batch, so that neither can be without
    /// the other.
    ///
    /// - Parameters:
    ///   - file: What tells this file and its state from others.
    ///   - records: The records without the header.
    ///   - progress: Called after each batch with the number of finished records.
    func run(
        file: ImportProgress.ID, _ records: [Record], progress: (Int) -> Void
    ) async throws -> Report {
        var report = Report()
        report.resumedAfter =
            try await dal.read { try ImportProgress.find(file, in: $0)?.finishedRecords } ?? 0
        var next = min(report.resumedAfter, records.count)
        while next < records.count {
            let end = min(next + batchSize, records.count)
            var cities: [CityRecord] = []
            for record in records[next..<end] {
                do {
                    cities.append(try CityRecord(record))
                } catch {
                    report.bad.append(error)
                }
            }
            let counts = try await store(cities, file, finished: end)
            report.inserted += counts.inserted
            report.changed += counts.changed
            report.unchanged += counts.unchanged
            next = end
            progress(end)
        }
        try await dal.write { try ImportProgress.find(file, in: $0)?.delete() }
        return report
    }

    private func store(
        _ cities: [CityRecord], _ file: ImportProgress.ID, finished: Int
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
                    let old = city.value
                    city.name = record.name
                    city.country = country
                    city.region = region
                    if city.value == old { report.unchanged += 1 } else { report.changed += 1 }
                } else {
                    try City.create(id: id, in: context) { city in
                        city.name = record.name
                        city.country = country
                        city.region = region
                    }
                    report.inserted += 1
                }
            }
            let progress = ImportProgress(id: file)
            try ImportProgress.upsert(progress, in: context).finishedRecords = finished
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
