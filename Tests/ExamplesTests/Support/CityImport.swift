#if Macros
import Foundation
import GRDB
import SkiathosTesting
import Testing

/// A city as the tests think of it.
struct City: Hashable, Comparable {
    var id: Int
    var name: String
    var country: String
    var region: String?

    static func < (left: City, right: City) -> Bool { left.id < right.id }

    /// Its line in a CSV file.
    var line: String {
        [name, country, region ?? "", "\(id)"].map(Self.field).joined(separator: ",") + "\n"
    }

    private static func field(_ text: String) -> String {
        let isPlain = text.unicodeScalars.allSatisfy { !",\"\r\n\t ".unicodeScalars.contains($0) }
        return isPlain ? text : "\"\(text.replacing("\"", with: "\"\""))\""
    }
}

extension [City] {
    /// A CSV file of these cities.
    var file: String { CityImport.header + map(\.line).joined() }
}

/// One directory with a file of cities and a store, and the example that imports one into the
/// other.
struct CityImport {
    static let header = "name,country,subcountry,geonameid\n"

    let directory: TemporaryDirectory
    private let command: Command

    init() throws {
        directory = try TemporaryDirectory()
        command = Command(
            executable: BuildDirectory.executable("ImportCities"), directory: directory.path)
    }

    /// Runs the example.
    func run(_ arguments: String...) async throws -> Outcome { try await run(arguments) }

    /// Runs the example.
    func run(_ arguments: [String]) async throws -> Outcome { try await command.run(arguments) }

    /// Writes a file and imports it.
    func callAsFunction(_ file: String, _ options: String...) async throws -> Outcome {
        try write(file)
        return try await command.run(["import", "cities.csv"] + options)
    }

    /// Imports a file, a city in each write, and kills the process after it has reported some of
    /// them.
    ///
    /// The process reports to a terminal whose output is not read any further, so it cannot
    /// finish before it is killed.
    func kill(_ file: String, afterReports count: Int) async throws {
        try write(file)
        let terminal = try Terminal()
        let process = try RunningProcess(
            command, ["import", "cities.csv", "--batch", "1"], errors: terminal.device)
        // From here on only the process has it open, so waiting ends with it at the latest.
        try terminal.device.close()
        #expect(await terminal.wait(for: UInt8(ascii: "\r"), times: count))
        #expect(Foundation.kill(process.id, SIGKILL) == 0)
        #expect(try await process.outcome().wasKilled)
    }

    /// The cities that the store holds, in the order of their IDs.
    ///
    /// A region that lies in another country than its city counts as none.
    func cities() throws -> [City] {
        try read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT city.id, city.name, country.name, region.name FROM city
                    LEFT JOIN country ON country.id = city.country
                    LEFT JOIN region ON region.id = city.region AND region.country = country.id
                    ORDER BY city.id
                    """
            ).map { City(id: $0[0], name: $0[1], country: $0[2], region: $0[3]) }
        }
    }

    /// How many records of unfinished imports the store knows to be finished.
    func unfinished() throws -> [Int] {
        try read { try Int.fetchAll($0, sql: "SELECT finishedRecords FROM importProgress") }
    }

    private func read<T>(_ body: (Database) throws -> T) throws -> T {
        let path = directory.file("cities.sqlite")
        return try DatabaseQueue(path: path).read(body)
    }

    private func write(_ text: String) throws {
        let path = directory.file("cities.csv")
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }
}

/// What an import says at its end.
func summary(
    inserted: Int = 0, changed: Int = 0, unchanged: Int = 0, leftOut: Int = 0
) -> String {
    "\(inserted) inserted, \(changed) changed, \(unchanged) unchanged, \(leftOut) left out\n"
}
#endif
