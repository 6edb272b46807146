#if Macros
import Testing

struct BadRecordsAreLeftOut {
    private static let good = [
        City(id: 1, name: "Athens", country: "Greece", region: "Attica"),
        City(id: 2, name: "Pi\n,\"raeus\"", country: "Greece", region: nil),
        City(id: 3, name: "Volos", country: "Greece", region: "Thessaly"),
    ]

    @Test(arguments: [
        "Athens,Greece,Attica", "Athens,Greece,Attica,4,5", "Athens", ",Greece,Attica,4",
        "Athens,,Attica,4", "Athens,Greece,Attica,", "Athens,Greece,Attica,four",
        "Athens,Greece,Attica,4.5", "Athens,Greece,Attica,0", "Athens,Greece,Attica,-4",
        "Athens,Greece,Attica,9223372036854775808", "Ath\0ens,Greece,Attica,4",
        "Ath\"ens,Greece,Attica,4", "\"Ath\"ens,Greece,Attica,4", "\"Athens,Greece,Attica,4",
    ])
    func `a bad record is named by its line and the others are stored`(
        _ bad: String
    ) async throws {
        // The second good record takes two lines.
        let lines = Self.good.map(\.line)
        for (place, number) in [(0, 2), (1, 3), (2, 5), (3, 6)] {
            var lines = lines
            lines.insert(bad + "\n", at: place)
            let imports = try CityImport()
            let outcome = try await imports(CityImport.header + lines.joined())
            #expect(outcome.errors.hasPrefix("left out, line \(number): "))
            #expect(outcome.errors.split(separator: "\n").count == 1)
            #expect(outcome.output == summary(inserted: 3, leftOut: 1))
            #expect(outcome.exitCode == 65)
            #expect(try imports.cities() == Self.good)
        }
    }

    @Test func `all bad records are listed and the exit code shows them every time`()
        async throws
    {
        let lines = ["a,b", Self.good[0].line, "", "c", "d,e,f,g", Self.good[2].line]
        let file = CityImport.header + lines.joined(separator: "\n")
        let imports = try CityImport()
        for unchanged in [0, 2] {
            let outcome = try await imports(file)
            let numbers = outcome.errors.matches(of: #/left out, line (\d+): /#).map { $0.1 }
            #expect(numbers == ["2", "6", "7"])
            #expect(
                outcome.output
                    == summary(inserted: 2 - unchanged, unchanged: unchanged, leftOut: 3))
            #expect(outcome.exitCode == 65)
        }
        #expect(try imports.cities() == [Self.good[0], Self.good[2]])
    }
}
#endif
