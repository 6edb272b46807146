import Foundation
import SkiathosTesting
import Testing

/// A manifest as the package manager reads it.
struct PackageManifest: Decodable {
    struct Target: Decodable {
        let name: String
        let type: String
        let dependencies: [Dependency]
    }

    /// A target or product, with what it is: `{"byName": ["SkiathosLocks", null]}` or
    /// `{"product": ["GRDB", "GRDB.swift", null, null]}`.
    struct Dependency: Decodable {
        let name: String
        /// The package of a product.
        let package: String?

        init(from decoder: any Decoder) throws {
            let kinds = try decoder.singleValueContainer().decode([String: [Part]].self)
            name = kinds.values.first?.first?.text ?? ""
            package = kinds["product"]?.dropFirst().first?.text
        }
    }

    /// A part of a dependency, of which only words matter.
    private struct Part: Decodable {
        let text: String?

        init(from decoder: any Decoder) throws {
            text = try? decoder.singleValueContainer().decode(String.self)
        }
    }

    let name: String
    let targets: [Target]

    /// The manifest of the package in a directory.
    ///
    /// It is read without the build directory of this test, which the process that runs the test may
    /// have locked.
    static func read(in directory: String) async throws -> PackageManifest {
        let scratch = try TemporaryDirectory()
        let command = Command(
            executable: URL(fileURLWithPath: "/usr/bin/env"), directory: directory)
        let outcome = try await command.run([
            "swift", "package", "--scratch-path", scratch.path, "dump-package",
        ])
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        return try JSONDecoder().decode(PackageManifest.self, from: Data(outcome.output.utf8))
    }
}
