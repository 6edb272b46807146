#if Macros
import Testing

struct MistakesAreExplained {
    @Test func `a file that is not there or not readable is named`() async throws {
        let imports = try CityImport()
        let missing = try await imports.run("import", "missing.csv")
        #expect(missing.exitCode == 1)
        #expect(missing.errors == "Error: There is no file \"missing.csv\".\n")
        let directory = try await imports.run("import", "/")
        #expect(directory.exitCode == 1)
        #expect(directory.errors == "Error: The file \"/\" cannot be read.\n")
    }

    @Test(arguments: ["", "name;country;subcountry;geonameid\n", "Athens,Greece,Attica,1\n"])
    func `a file with other columns is refused before a store is made`(
        _ file: String
    ) async throws {
        let imports = try CityImport()
        let outcome = try await imports(file)
        #expect(outcome.exitCode == 1)
        #expect(outcome.errors.contains("name,country,subcountry,geonameid"))
        let search = try await imports.run("search", "a")
        #expect(search.exitCode == 1)
        #expect(search.errors.contains("There is no file"))
    }

    @Test func `a file without records is imported`() async throws {
        let imports = try CityImport()
        #expect(try await imports(CityImport.header).output == summary())
        #expect(try imports.cities() == [])
    }

    @Test func `a country that is not there is named`() async throws {
        let imports = try CityImport()
        _ = try await imports(CityImport.header)
        let outcome = try await imports.run("cities", "Atlantis")
        #expect(outcome.exitCode != 0)
        #expect(outcome.errors.contains("There is no country named Atlantis."))
    }

    @Test(arguments: ["0", "-1", "many"])
    func `a batch that is not a positive number is refused`(_ batch: String) async throws {
        let imports = try CityImport()
        let outcome = try await imports(CityImport.header, "--batch=\(batch)")
        #expect(outcome.exitCode == 64)
        #expect(outcome.errors.contains("--batch"))
    }

    @Test func `help lists the commands and their options`() async throws {
        let imports = try CityImport()
        let help = try await imports.run("--help")
        #expect(help.exitCode == 0)
        for command in ["import", "cities", "regions", "search"] {
            #expect(help.output.contains("  \(command) "))
            let detail = try await imports.run(command, "--help")
            #expect(detail.exitCode == 0)
            #expect(detail.output.contains("--store <store>"))
        }
    }
}
#endif
