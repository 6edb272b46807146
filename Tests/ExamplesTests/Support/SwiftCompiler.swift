import Foundation
import SkiathosTesting

/// The compiler, with the modules that were built beside this test.
struct SwiftCompiler {
    /// The errors of a source, with their places.
    func errors(in source: String) async throws -> [String] {
        let directory = try TemporaryDirectory()
        try Data(source.utf8).write(to: URL(fileURLWithPath: directory.file("Snippet.swift")))
        let command = Command(
            executable: URL(fileURLWithPath: "/usr/bin/env"), directory: directory.path)
        // Errors about data races come later than other errors, from the intermediate language.
        let outcome = try await command.run(
            ["swiftc", "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-parse-as-library"]
                + ["-diagnostic-style", "llvm", "-module-name", "Snippet", "Snippet.swift"]
                + Self.modules + Self.macros)
        guard outcome.exitCode != 0 else { return [] }
        // The lines of the source, which the compiler shows too, may hold the same words.
        let errors = outcome.errors.matches(of: /(?m)^\S.*error: .*$/).map { String($0.0) }
        return errors.isEmpty ? [outcome.errors] : errors
    }

    /// The modules of this package, and those in C that they need.
    private static let modules = [
        "-I", BuildDirectory.url.appendingPathComponent("Modules").path,
        "-I",
        BuildDirectory.scratch
            .appendingPathComponent("checkouts/GRDB.swift/Sources/GRDBSQLite").path,
        "-I", PackageDirectory.url.appendingPathComponent("Sources/CSkiathosFiles/include").path,
        "-I", PackageDirectory.url.appendingPathComponent("Sources/CSkiathosZlib").path,
    ]

    #if Macros
    private static let macros = [
        "-load-plugin-executable",
        BuildDirectory.executable("SkiathosMacros-tool").path + "#SkiathosMacros",
    ]
    #else
    private static let macros: [String] = []
    #endif
}
