import Foundation
import SkiathosTesting
import Testing

struct ExamplesPrintWhatTheirPageSays {
    private static let page = "Examples/README.md"

    @Test func `the page lists every example and each has a section`() throws {
        let directories = try FileManager.default.contentsOfDirectory(
            at: PackageDirectory.url.appendingPathComponent("Examples"),
            includingPropertiesForKeys: [.isDirectoryKey])
        let examples = try directories.filter {
            try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true
        }
        // What several of them use is none itself.
        let names = examples.map(\.lastPathComponent).filter { $0 != "Support" }.sorted()
        let page = try Document(Self.page)
        #expect(page.headings.dropFirst().sorted() == names)
        let listed = page.prose.compactMap { $0.firstMatch(of: /^\| \[(\w+)\]/)?.1 }
        #expect(listed.map(String.init).sorted() == names)
    }

    #if Macros
    @Test(arguments: ["FieldNotes", "FirstSteps", "QuickStart", "ImportCities", "MusicShop"])
    func `an example prints exactly its documented output`(_ name: String) async throws {
        let blocks = try Document(Self.page).blocks(under: name)
        let commands = try #require(blocks.first { $0.language == "sh" })
        let expected = try #require(blocks.first { $0.language == "text" })
        #expect(try await output(of: commands.text) == expected.text + "\n")
    }

    #if Requests
    @Test func `the example with a server prints exactly its documented output`() async throws {
        let blocks = try Document(Self.page).blocks(under: "OfflineFirst")
        let commands = try #require(blocks.first { $0.language == "sh" })
        let expected = try #require(blocks.first { $0.language == "text" })
        #expect(try await output(of: commands.text) == expected.text + "\n")
    }
    #endif

    @Test func `the example of the README is FirstSteps and prints what it says`() async throws {
        let block = try #require(try Document("README.md").blocks.first)
        let source = try PackageDirectory.text(of: "Examples/FirstSteps/FirstSteps.swift")
        #expect(source.hasPrefix("#if Macros\n\(block.text)\n#else\n"))
        let promised = try #require(block.text.firstMatch(of: /print\(.*\)  \/\/ (.*)/)).1
        #expect(try await output(of: "swift run FirstSteps") == promised + "\n")
    }

    /// What commands of the form `swift run [--enable-all-traits] Example arguments` print one after
    /// the other, in an empty directory beside the files of the examples.
    private func output(of commands: String) async throws -> String {
        let directory = try TemporaryDirectory()
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("Examples"),
            withDestinationPath: PackageDirectory.url.appendingPathComponent("Examples").path)
        var output = ""
        for line in commands.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
                .filter { $0 != "--enable-all-traits" }
            try #require(words.count > 2 && words[..<2] == ["swift", "run"])
            let command = Command(
                executable: BuildDirectory.executable(words[2]), directory: directory.path)
            let outcome = try await command.run(Array(words[3...]))
            #expect(outcome.exitCode == 0)
            #expect(outcome.errors == "")
            output += outcome.output
        }
        withExtendedLifetime(directory) {}
        return output
    }
    #else
    @Test(arguments: ["FieldNotes", "FirstSteps", "QuickStart", "ImportCities", "MusicShop"])
    func `an example without the macros says what it needs`(_ name: String) async throws {
        let directory = try TemporaryDirectory()
        let command = Command(
            executable: BuildDirectory.executable(name), directory: directory.path)
        let outcome = try await command.run([])
        #expect(outcome.exitCode == 0)
        #expect(
            outcome.output
                == "\(name) uses @Entity, so it needs the trait Macros, which is on by default.\n")
    }
    #endif
}
