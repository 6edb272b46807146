#if Macros
import Testing

struct StoredCitiesAnswerQuestions {
    private static let cities = [
        City(id: 1, name: "Volos", country: "Greece", region: "Thessaly"),
        City(id: 2, name: "Athens", country: "Greece", region: "Attica"),
        City(id: 3, name: "Piraeus", country: "Greece", region: "Attica"),
        City(id: 4, name: "Athens", country: "United States", region: "Georgia"),
        City(id: 5, name: "Öresund", country: "Sweden", region: nil),
        City(id: 6, name: "100%", country: "Sweden", region: nil),
        City(id: 7, name: "1000", country: "Sweden", region: nil),
    ]

    /// Imports the cities and returns the lines that a command prints then.
    private func lines(_ command: String...) async throws -> [String] {
        let imports = try CityImport()
        _ = try await imports(Self.cities.file)
        let outcome = try await imports.run(command)
        #expect(outcome.exitCode == 0)
        #expect(outcome.errors == "")
        return outcome.output.split(separator: "\n").map(String.init)
    }

    @Test(arguments: ["Greece", "GREECE", "greece"])
    func `cities lists those of a country by name`(_ country: String) async throws {
        #expect(try await lines("cities", country) == ["Athens", "Piraeus", "Volos"])
    }

    @Test func `regions lists those with the most cities first`() async throws {
        #expect(try await lines("regions").first == "Attica: 2")
        #expect(try await lines("regions").count == 3)
        #expect(try await lines("regions", "--limit", "1") == ["Attica: 2"])
    }

    @Test func `search finds names by their beginning in either case`() async throws {
        #expect(
            try await lines("search", "ATH").sorted() == [
                "Athens, Greece", "Athens, United States",
            ])
        #expect(try await lines("search", "ö") == ["Öresund, Sweden"])
        #expect(try await lines("search", "thens") == [])
        #expect(try await lines("search", "100%") == ["100%, Sweden"])
        #expect(try await lines("search", "", "--limit", "4").count == 4)
    }
}
#endif
