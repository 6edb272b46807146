#if Macros
import Testing

struct FieldsHoldAnyText {
    @Test(arguments: [
        "a,b", ",", "two\nlines", "two\r\nlines", "\n", "\"", "\"\"", "say \"hello\", twice",
        "Thessaloníki", "東京", "القاهرة", "🇬🇷", "👩‍👩‍👧‍👦", "O'Neill; --", "  spaces  ", "\t",
        "%s\\n{}", "left\u{202E}right",
    ])
    func `a field arrives as it was written`(_ text: String) async throws {
        let cities = [
            City(id: 1, name: "Before", country: "Greece", region: nil),
            City(id: 2, name: text, country: text, region: text),
            City(id: 3, name: "After", country: text, region: text),
        ]
        let imports = try CityImport()
        let outcome = try await imports(cities.file)
        #expect(outcome.errors == "")
        #expect(outcome.output == summary(inserted: 3))
        #expect(try imports.cities() == cities)
        #expect(try await imports(cities.file).output == summary(unchanged: 3))
    }

    @Test(arguments: [1, 2])
    func `names that look the same are the same`(_ batch: Int) async throws {
        let imports = try CityImport()
        let file = [
            City(id: 1, name: "Lárisa", country: "Ellás", region: "Thessalía"),
            City(id: 2, name: "La\u{301}risa", country: "Ella\u{301}s", region: "Thessali\u{301}a"),
        ].file
        _ = try await imports(file, "--batch", "\(batch)")
        let regions = try await imports.run("regions")
        #expect(regions.output == "Thessalía: 2\n")
        let cities = try await imports.run("cities", "Ella\u{301}s")
        #expect(cities.output == "Lárisa\nLárisa\n")
    }

    @Test(arguments: ["\u{FEFF}", ""], ["\n", "\r\n"])
    func `a byte order mark and either kind of line break are understood`(
        _ mark: String, _ lineBreak: String
    ) async throws {
        let lines = [
            "name,country,subcountry,geonameid", "Athens,Greece,,1", "\"Volos\",Greece,,2",
        ]
        for end in ["", lineBreak, lineBreak + lineBreak] {
            let imports = try CityImport()
            let outcome = try await imports(mark + lines.joined(separator: lineBreak) + end)
            #expect(outcome.output == summary(inserted: 2))
            #expect(try imports.cities().map(\.name) == ["Athens", "Volos"])
        }
    }
}
#endif
