#if Macros
import TestSupport
import Testing

struct ImportsCanBeRepeated {
    private static let cities = [
        City(id: 1, name: "Athens", country: "Greece", region: "Attica"),
        City(id: 2, name: "Piraeus", country: "Greece", region: "Attica"),
        City(id: 3, name: "Athens", country: "United States", region: "Georgia"),
        City(id: 4, name: "Gori", country: "Georgia", region: nil),
        City(id: 5, name: "Victoria", country: "Seychelles", region: "Victoria"),
        City(id: 6, name: "Victoria", country: "Canada", region: "Victoria"),
    ]

    @Test(arguments: [1, 4, 1000])
    func `an import stores every city and a second one changes nothing`(
        _ batch: Int
    ) async throws {
        let imports = try CityImport()
        let first = try await imports(Self.cities.file, "--batch", "\(batch)")
        #expect(first.exitCode == 0)
        #expect(first.output == summary(inserted: 6))
        #expect(try imports.cities() == Self.cities)
        let second = try await imports(Self.cities.file, "--batch", "\(batch)")
        #expect(second.exitCode == 0)
        #expect(second.output == summary(unchanged: 6))
        #expect(try imports.cities() == Self.cities)
        #expect(try imports.unfinished() == [])
    }

    @Test func `a city that has changed in the file is updated`() async throws {
        let imports = try CityImport()
        _ = try await imports(Self.cities.file)
        var cities = Self.cities
        cities[0].name = "Athína"
        cities[1].region = nil
        cities[2].country = "Greece"
        cities[3].region = "Shida Kartli"
        let outcome = try await imports(cities.file)
        #expect(outcome.output == summary(changed: 4, unchanged: 2))
        #expect(try imports.cities() == cities)
    }

    @Test func `cities that the file does not name stay as they are`() async throws {
        let imports = try CityImport()
        _ = try await imports(Array(Self.cities[..<3]).file)
        let outcome = try await imports(Array(Self.cities[2...]).file)
        #expect(outcome.output == summary(inserted: 3, unchanged: 1))
        #expect(try imports.cities() == Self.cities)
    }

    @Test(arguments: 1...3)
    func `a store is what the files say after any row of imports`(_ seed: UInt64) async throws {
        var random = SeededNumbers(seed: seed)
        let imports = try CityImport()
        var model: [Int: City] = [:]
        for _ in 1...6 {
            let ids = (1...20).shuffled(using: &random).prefix(.random(in: 1...15, using: &random))
            let file = ids.map { City.random(id: $0, using: &random) }
            let inserted = file.count { model[$0.id] == nil }
            let unchanged = file.count { model[$0.id] == $0 }
            for city in file { model[city.id] = city }
            let batch = Int.random(in: 1...8, using: &random)
            let outcome = try await imports(file.file, "--batch", "\(batch)")
            #expect(
                outcome.output
                    == summary(
                        inserted: inserted, changed: file.count - inserted - unchanged,
                        unchanged: unchanged))
            #expect(try imports.cities() == model.values.sorted())
        }
    }
}

extension City {
    /// A city out of so few that most are met again.
    fileprivate static func random(id: Int, using random: inout SeededNumbers) -> City {
        City(
            id: id, name: Bool.random(using: &random) ? "Old Town" : "New, Town",
            country: Bool.random(using: &random) ? "Here" : "There",
            region: ["North", "\"South\"", nil].randomElement(using: &random) ?? nil)
    }
}
#endif
