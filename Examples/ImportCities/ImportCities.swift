#if Macros
import ArgumentParser
import ExampleSupport
import Foundation
import Skiathos

/// Imports a list of the world's cities and answers questions about it.
@main
struct ImportCities: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ImportCities",
        abstract: "Imports a CSV file of cities and answers questions about them.",
        subcommands: [Import.self, Cities.self, Regions.self, Search.self])
}

/// The option that all commands have.
struct StoreOption: ParsableArguments {
    @Option(help: "The file of the store.")
    var store = "cities.sqlite"

    func open(readOnly: Bool) async throws -> DataAccessLayer {
        var configuration = Configuration()
        configuration.isReadOnly = readOnly
        return try await DataAccessLayer.open(
            .sqlite(store), entities: Country.self, Region.self, City.self, ImportProgress.self,
            configuration: configuration)
    }
}

/// The command `ImportCities import world-cities.csv`.
struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Imports a file with the columns name, country, subcountry, geonameid.",
        discussion: """
            Importing a file again changes nothing; an interrupted import goes on where it was. \
            Records that cannot be used are left out and listed with their lines; the exit code \
            is \(EX_DATAERR) then.
            """)

    @Argument(help: "The CSV file.")
    var file: String

    @Option(help: "How many records are stored in one write.")
    var batch = 1_000

    @OptionGroup var option: StoreOption

    func validate() throws {
        guard batch > 0 else { throw ValidationError("--batch must be at least 1.") }
    }

    func run() async throws {
        let file = try CityFile(path: file)
        for bad in file.bad {
            FileHandle.standardError.write(Data("left out, \(bad)\n".utf8))
        }
        let dal = try await option.open(readOnly: false)
        let bar = ProgressBar(total: file.cities.count)
        let report = try await Importer(dal: dal, batchSize: batch).run(file, progress: bar.show)
        bar.finish(file.cities.count - report.resumedAfter)
        if report.resumedAfter > 0 { print("went on after record \(report.resumedAfter)") }
        print(
            "\(report.inserted) inserted, \(report.changed) changed, \(report.unchanged) unchanged, \(file.bad.count) left out"
        )
        try await dal.close()
        guard file.bad.isEmpty else { throw ExitCode(EX_DATAERR) }
    }
}

/// The command `ImportCities cities Greece`.
struct Cities: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Lists the cities of a country.")

    @Argument(help: "The name of the country, in upper or lower case.")
    var country: String

    @OptionGroup var option: StoreOption

    func run() async throws {
        let dal = try await option.open(readOnly: true)
        let country = country.precomposedStringWithCanonicalMapping
        let cities: [City]? = try await dal.read { context in
            guard
                let found = try Country.first(
                    where: { $0.name.caseInsensitive == country }, in: context)
            else { return nil }
            return try City.all(
                where: { $0.country == found.id }, orderedBy: { [$0.name.ascending] }, in: context)
        }
        try await dal.close()
        guard let cities else { throw ValidationError("There is no country named \(country).") }
        for city in cities { print(city.name) }
    }
}

/// The command `ImportCities regions --limit 10`.
struct Regions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists the regions with the most cities.")

    @Option(help: "How many regions.")
    var limit = 10

    @OptionGroup var option: StoreOption

    func run() async throws {
        let dal = try await option.open(readOnly: true)
        let limit = limit
        let lines: [String] = try await dal.read { context in
            let cities = try City.all(where: { $0.region != nil }, in: context)
            let counts = Dictionary(grouping: cities) { $0.region }.compactMap { region, cities in
                region.map { (region: $0, count: cities.count) }
            }
            let largest = counts.sorted { ($1.count, $0.region) < ($0.count, $1.region) }
                .prefix(limit)
            let regions = try Region.find(largest.map(\.region), in: context).found
            return zip(regions, largest).map { "\($0.name): \($1.count)" }
        }
        try await dal.close()
        for line in lines { print(line) }
    }
}

/// The command `ImportCities search Skia`.
struct Search: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Finds cities whose names begin with a text, in upper or lower case.")

    @Argument(help: "The beginning of the name.")
    var prefix: String

    @Option(help: "How many cities at the most.")
    var limit = 20

    @OptionGroup var option: StoreOption

    func run() async throws {
        let dal = try await option.open(readOnly: true)
        let (prefix, limit) = (prefix.precomposedStringWithCanonicalMapping, limit)
        let lines: [String] = try await dal.read { context in
            let cities = try City.all(
                where: { $0.name.caseInsensitive.hasPrefix(prefix) },
                orderedBy: { [$0.name.ascending] }, limit: limit, in: context)
            let countries = try Country.find(cities.compactMap(\.country), in: context).found
            let names = Dictionary(countries.map { ($0.id, $0.name) }) { first, _ in first }
            return cities.map { city in
                "\(city.name), \(city.country.flatMap { names[$0] } ?? "country unknown")"
            }
        }
        try await dal.close()
        for line in lines { print(line) }
    }
}
#else
@main
struct ImportCities {
    static func main() {
        print("ImportCities uses @Entity, so it needs the trait Macros, which is on by default.")
    }
}
#endif
