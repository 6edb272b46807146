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
                + Self.modules + Self.maps + Self.macros)
        return Self.errors(of: outcome)
    }

    /// Compiles a module of a package of several, and leaves it and its object file in the
    /// directory of its sources.
    ///
    /// - Parameters:
    ///   - sources: The paths of the sources, which begin at the directory.
    ///   - others: The directories of the package's modules that it imports.
    /// - Returns: Its errors and warnings, with their places.
    func errors(
        compiling module: String, of package: String, in directory: String, sources: [String],
        importing others: [String]
    ) async throws -> [String] {
        let command = Command(
            executable: URL(fileURLWithPath: "/usr/bin/env"), directory: directory)
        let outcome = try await command.run(
            ["swiftc", "-emit-module", "-emit-module-path", "\(module).swiftmodule"]
                + ["-c", "-wmo", "-o", "\(module).o", "-swift-version", "6"]
                + ["-parse-as-library", "-warnings-as-errors", "-diagnostic-style", "llvm"]
                + ["-package-name", package, "-module-name", module] + sources
                + others.flatMap { ["-I", $0] } + Self.modules + Self.maps + Self.macros)
        return Self.errors(of: outcome)
    }

    /// Links object files to a program, with the modules that an executable of this package links.
    ///
    /// - Returns: The errors.
    func errors(
        linking objects: [String], to program: String, like executable: String
    ) async throws -> [String] {
        let list = BuildDirectory.url
            .appendingPathComponent("\(executable).product/Objects.LinkFileList")
        let linked = try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
            .filter { !$0.contains("/\(executable).build/") }
        let directory = try TemporaryDirectory()
        let own = directory.file("Objects.LinkFileList")
        let lines = linked.map(String.init) + objects
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: own))
        let command = Command(
            executable: URL(fileURLWithPath: "/usr/bin/env"), directory: directory.path)
        let outcome = try await command.run([
            "swiftc", "-emit-executable", "-o", program, "@\(own)", "-lsqlite3",
        ])
        return outcome.exitCode == 0 ? [] : [outcome.output + outcome.errors]
    }

    private static func errors(of outcome: Outcome) -> [String] {
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
        "-I", PackageDirectory.url.appendingPathComponent("Sources/CSkiathosSQLite/include").path,
        "-I", PackageDirectory.url.appendingPathComponent("Sources/CSkiathosThreads/include").path,
        "-I", PackageDirectory.url.appendingPathComponent("Sources/CSkiathosZlib").path,
    ]

    #if Requests
    /// The maps of the modules in C below NIO, whose types are part of a security policy.
    private static let maps: [String] = {
        let files = FileManager.default
        let checkouts = BuildDirectory.scratch.appendingPathComponent("checkouts")
        let packages = (try? files.contentsOfDirectory(atPath: checkouts.path)) ?? []
        let written = packages.flatMap {
            let sources = checkouts.appendingPathComponent($0).appendingPathComponent("Sources")
            let targets = (try? files.contentsOfDirectory(atPath: sources.path)) ?? []
            return targets.map { sources.appendingPathComponent("\($0)/include") }
        }
        let targets = (try? files.contentsOfDirectory(atPath: BuildDirectory.url.path)) ?? []
        let generated = targets.filter { $0.hasSuffix(".build") && !$0.hasSuffix("-tool.build") }
            .map { BuildDirectory.url.appendingPathComponent($0) }
        return (written + generated).map { $0.appendingPathComponent("module.modulemap").path }
            .filter(files.fileExists)
            .flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
    }()
    #else
    private static let maps: [String] = []
    #endif

    #if Macros
    private static let macros = ["SkiathosMacros", "WeakProxyMacros"].flatMap {
        [
            "-load-plugin-executable",
            BuildDirectory.executable("\($0)-tool").path + "#\($0)",
        ]
    }
    #else
    private static let macros: [String] = []
    #endif
}
