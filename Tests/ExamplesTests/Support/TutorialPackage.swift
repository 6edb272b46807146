#if Macros
import Foundation
import SkiathosTesting
import Testing

/// The package of a reader, at one of the steps of the tutorials.
struct TutorialPackage {
    /// The texts of the files by their paths in the package.
    private(set) var files: [String: String] = [:]
    /// The files of the catalogue by those paths.
    private var origins: [String: String] = [:]

    /// Does what a step says.
    ///
    /// - Returns: The file that had the path before.
    mutating func follow(_ step: Tutorial.Step) throws -> String? {
        files[step.name] = try Tutorial.text(of: step.file)
        return origins.updateValue(step.file, forKey: step.name)
    }

    /// The files of a target by their paths.
    func sources(of target: PackageManifest.Target) -> [String: String] {
        let folder = target.type == "test" ? "Tests" : "Sources"
        return files.filter { $0.key.hasPrefix("\(folder)/\(target.name)/") }
    }
}

/// Compiles the targets of packages, each one once for the same sources.
struct TutorialBuild {
    /// A target with all that its module depends on.
    private struct Key: Hashable {
        let target: String
        let sources: [String: String]
        let dependencies: [Key]
    }

    private let compiler = SwiftCompiler()
    private let directory: TemporaryDirectory
    private var manifests: [String: PackageManifest] = [:]
    /// The directories of compiled targets.
    private var directories: [Key: String] = [:]
    private var errors: [Key: [String]] = [:]
    private var programs: [Key: String] = [:]

    init() throws { directory = try TemporaryDirectory() }

    /// What the package manager reads in the manifest of a package.
    mutating func manifest(of package: TutorialPackage) async throws -> PackageManifest {
        let text = try #require(package.files["Package.swift"])
        if let known = manifests[text] { return known }
        let folder = try makeFolder(["Package.swift": text])
        let manifest = try await PackageManifest.read(in: folder)
        manifests[text] = manifest
        return manifest
    }

    /// Compiles all targets that have sources.
    ///
    /// - Returns: The errors and warnings of those that were not compiled before.
    mutating func problems(of package: TutorialPackage) async throws -> [String] {
        let manifest = try await manifest(of: package)
        var found: [String] = []
        for target in manifest.targets where !package.sources(of: target).isEmpty {
            found += try await compile(target, of: package, manifest)
        }
        return found
    }

    /// The executable of a target, or of all tests for a target of tests.
    ///
    /// - Parameter example: An executable of this package that links the same products.
    mutating func program(
        _ name: String, of package: TutorialPackage, like example: String
    ) async throws -> String {
        let manifest = try await manifest(of: package)
        let target = try #require(manifest.targets.first { $0.name == name })
        let problems = try await compile(target, of: package, manifest)
        try #require(problems == [])
        let key = try key(of: target, of: package, manifest)
        if let known = programs[key] { return known }
        var objects = Set(all(key)).compactMap { key in
            directories[key].map { "\($0)/\(key.target).o" }
        }
        if target.type == "test" {
            let runner = try makeFolder(["Runner.swift": Self.runner])
            let problems = try await compiler.errors(
                compiling: "Runner", of: manifest.name, in: runner, sources: ["Runner.swift"],
                importing: [])
            try #require(problems == [])
            objects.append("\(runner)/Runner.o")
        }
        let path = "\(try #require(directories[key]))/program"
        let failures = try await compiler.errors(
            linking: objects.sorted(), to: path, like: example)
        try #require(failures == [])
        programs[key] = path
        return path
    }

    /// What the package manager adds to tests.
    private static let runner = """
        import Testing

        @main struct Runner {
            static func main() async { await Testing.__swiftPMEntryPoint() as Never }
        }
        """

    private mutating func compile(
        _ target: PackageManifest.Target, of package: TutorialPackage, _ manifest: PackageManifest
    ) async throws -> [String] {
        var found: [String] = []
        for other in Self.needed(by: target, manifest) {
            found += try await compile(other, of: package, manifest)
        }
        let key = try key(of: target, of: package, manifest)
        guard errors[key] == nil else { return found }
        let folder = try makeFolder(key.sources)
        let own = try await compiler.errors(
            compiling: target.name, of: manifest.name, in: folder,
            sources: key.sources.keys.sorted(),
            importing: key.dependencies.flatMap(all).compactMap { directories[$0] })
        directories[key] = folder
        errors[key] = own
        return found + own
    }

    private func key(
        of target: PackageManifest.Target, of package: TutorialPackage, _ manifest: PackageManifest
    ) throws -> Key {
        Key(
            target: target.name, sources: package.sources(of: target),
            dependencies: try Self.needed(by: target, manifest).map {
                try key(of: $0, of: package, manifest)
            })
    }

    /// A target and all that it depends on.
    private func all(_ key: Key) -> [Key] { [key] + key.dependencies.flatMap(all) }

    /// The targets of the package that one depends on.
    private static func needed(
        by target: PackageManifest.Target, _ manifest: PackageManifest
    ) -> [PackageManifest.Target] {
        let names = target.dependencies.filter { $0.package == nil }.map(\.name)
        return manifest.targets.filter { names.contains($0.name) }
    }

    /// A directory of its own with files.
    private func makeFolder(_ files: [String: String]) throws -> String {
        let folder = directory.file(UUID().uuidString)
        for (path, text) in files {
            let file = URL(fileURLWithPath: "\(folder)/\(path)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        return folder
    }
}
#endif
