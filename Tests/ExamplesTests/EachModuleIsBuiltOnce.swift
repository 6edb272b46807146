import Foundation
import SkiathosTesting
import Testing

/// The package manager builds a test target that depends on a plugin for the plugin's platform, with
/// all tests and all that they need, once more.
struct EachModuleIsBuiltOnce {
    @Test func `no test target depends on a plugin`() async throws {
        let targets = try await Self.manifest().targets
        let plugins = Set(targets.filter { $0.type == "macro" }.map(\.name))
        let tests = targets.filter { $0.type == "test" }
        #expect(!plugins.isEmpty)
        #expect(!tests.isEmpty)
        for test in tests {
            let found = plugins.intersection(test.dependencies.flatMap(\.names)).sorted()
            #expect(found.isEmpty, "\(test.name) depends on \(found); import its library instead.")
        }
    }

    /// The manifest as the package manager reads it, without the build directory of this test, which
    /// the process that runs the test may have locked.
    private static func manifest() async throws -> Manifest {
        let scratch = try TemporaryDirectory()
        let command = Command(
            executable: URL(fileURLWithPath: "/usr/bin/env"), directory: PackageDirectory.url.path)
        let outcome = try await command.run([
            "swift", "package", "--scratch-path", scratch.path, "dump-package",
        ])
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        return try JSONDecoder().decode(Manifest.self, from: Data(outcome.output.utf8))
    }

    private struct Manifest: Decodable {
        let targets: [Target]
    }

    private struct Target: Decodable {
        let name: String
        let type: String
        let dependencies: [Dependency]
    }

    /// One name with what it is: `{"byName": ["Locks", null]}`.
    private struct Dependency: Decodable {
        let names: [String]

        init(from decoder: any Decoder) throws {
            let kinds = try decoder.singleValueContainer().decode([String: [Part]].self)
            names = kinds.values.compactMap { $0.first?.text }
        }
    }

    /// A part of a dependency, of which only words matter.
    private struct Part: Decodable {
        let text: String?

        init(from decoder: any Decoder) throws {
            text = try? decoder.singleValueContainer().decode(String.self)
        }
    }
}
