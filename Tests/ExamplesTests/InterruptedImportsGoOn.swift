#if Macros
import Testing

@Suite(.enabled(if: Terminal.isAvailable, "the system has no terminal for the process to wait at"))
struct InterruptedImportsGoOn {
    private static let cities = (1...2000).map { number in
        City(
            id: number, name: "City \(number)", country: "Country \(number / 300)",
            region: number % 7 == 0 ? nil : "Region \(number / 30)")
    }

    @Test(arguments: [1, 2, 19])
    func `a killed import is finished by the next one`(_ reports: Int) async throws {
        let imports = try CityImport()
        try await imports.kill(Self.cities.file, afterReports: reports)
        let stored = try imports.cities()
        #expect(stored.count >= reports && stored.count < Self.cities.count)
        #expect(stored == Array(Self.cities[..<stored.count]))
        #expect(try imports.unfinished() == [stored.count])

        let next = try await imports.run("import", "cities.csv")
        #expect(next.exitCode == 0)
        #expect(
            next.output == "went on after record \(stored.count)\n"
                + summary(inserted: Self.cities.count - stored.count))
        #expect(try imports.cities() == Self.cities)
        #expect(try imports.unfinished() == [])
        let last = try await imports.run("import", "cities.csv")
        #expect(last.output == summary(unchanged: Self.cities.count))
    }

    @Test func `an import that is killed twice is finished by the third`() async throws {
        let imports = try CityImport()
        try await imports.kill(Self.cities.file, afterReports: 3)
        let first = try imports.cities().count
        try await imports.kill(Self.cities.file, afterReports: 3)
        let second = try imports.cities().count
        #expect(second >= first + 3)
        let last = try await imports.run("import", "cities.csv")
        #expect(last.output.hasPrefix("went on after record \(second)\n"))
        #expect(try imports.cities() == Self.cities)
    }

    @Test func `a file that has changed since is imported from its beginning`() async throws {
        let imports = try CityImport()
        try await imports.kill(Self.cities.file, afterReports: 5)
        let stored = try imports.cities().count
        var cities = Self.cities
        // The file keeps its path and size.
        cities[0].name = "Town 1"
        #expect(cities.file.utf8.count == Self.cities.file.utf8.count)
        let outcome = try await imports(cities.file)
        #expect(
            outcome.output
                == summary(
                    inserted: cities.count - stored, changed: 1, unchanged: stored - 1))
        #expect(try imports.cities() == cities)
        #expect(try imports.unfinished() == [])
    }

    @Test func `an import of another file in between is not taken for finished`() async throws {
        let imports = try CityImport()
        try await imports.kill(Self.cities.file, afterReports: 5)
        var other = Self.cities[0]
        other.name = "Elsewhere"
        _ = try await imports([other].file)
        let outcome = try await imports(Self.cities.file)
        #expect(!outcome.output.contains("went on"))
        #expect(try imports.cities() == Self.cities)
    }

    @Test func `an import that continues lists the bad records too`() async throws {
        let imports = try CityImport()
        let file = CityImport.header + "bad\n" + Self.cities.map(\.line).joined()
        // The terminal shows the bad record before the first report.
        try await imports.kill(file, afterReports: 5)
        let outcome = try await imports.run("import", "cities.csv")
        #expect(outcome.errors.hasPrefix("left out, line 2: "))
        #expect(outcome.output.hasPrefix("went on after record "))
        #expect(outcome.exitCode == 65)
        #expect(try imports.cities() == Self.cities)
    }
}
#endif
