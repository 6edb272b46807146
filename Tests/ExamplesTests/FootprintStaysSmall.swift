import Foundation
import SkiathosTesting
import Testing

/// What a package fetches and builds that depends on this one by its URL.
///
/// One at a time: each starts the package manager.
@Suite(.serialized) struct FootprintStaysSmall {
    /// A line of the README's table of what is fetched.
    struct Line: CustomStringConvertible {
        /// The argument `traits` of the dependency, or nothing.
        let traits: String
        let packages: [String]

        var description: String { traits.isEmpty ? "without traits" : traits }

        /// Without those of `Requests`, whose two dozen packages take minutes to fetch.
        static func all() throws -> [Line] {
            try Document("README.md").prose.compactMap { line in
                guard
                    let match = line.firstMatch(
                        of: /^\| (?:`(traits: [^`]*)`|nothing) .*\| (.*) \|$/)
                else { return nil }
                let names = match.2.matches(of: /[A-Za-z.-]+/).map { $0.0.lowercased() }
                return Line(traits: String(match.1 ?? ""), packages: names.sorted())
            }
        }
    }

    /// One directory for all lines: what the package manager has fetched for one of them is there for the next,
    /// and only the packages that it resolves are compared.
    @Test func `a package fetches what the README says`() async throws {
        let user = try Dependent(of: "Skiathos", source: "import Skiathos\n")
        for line in try Line.all() {
            let packages = try await user.packages(withTraits: line.traits)
            #expect(packages == line.packages, "\(line)")
        }
    }

    @Test func `the README says what a store alone needs`() throws {
        let lines = try Line.all()
        #expect(lines.count == 5)
        #expect(try #require(lines.first).packages.count <= 7)
    }

    @Test(arguments: try Document("README.md").manifests)
    func `a manifest of the README is understood`(_ text: String) async throws {
        let user = try Dependent(manifest: text, source: "")
        let outcome = try await user.description()
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
    }

    @Test func `a package that forgets the trait reads which word to write in which line`()
        async throws
    {
        let user = try Dependent(
            of: "DataRequestService",
            source: "import DataRequestService\nlet service: DataRequestService\n")
        let outcome = try await user.build()
        #expect(outcome.exitCode != 0)
        let words =
            #"Write it in your Package.swift: .package(url: …, from: "0.1.0", traits: [.defaults, "Requests"])"#
        #expect(
            (outcome.output + outcome.errors)
                .contains(
                    "'DataRequestService' is unavailable: Skiathos is built without its trait Requests. \(words)"
                ))
    }
}

/// A package that depends on a release of this one, as it lies in the working directory.
private struct Dependent {
    private let directory: TemporaryDirectory
    private let manifest: String

    /// - Parameter product: What it needs of this package.
    init(of product: String, source: String) throws {
        try self.init(
            manifest: """
                // swift-tools-version: 6.1
                import PackageDescription

                let package = Package(
                    name: "App",
                    dependencies: [
                        .package(url: "https://github.com/OWNER/Skiathos", from: "0.1.0")
                    ],
                    targets: [
                        .executableTarget(
                            name: "App",
                            dependencies: [.product(name: "\(product)", package: "Skiathos")])
                    ])
                """, source: source)
    }

    init(manifest: String, source: String) throws {
        directory = try TemporaryDirectory()
        let files = FileManager.default
        let release = URL(fileURLWithPath: directory.file("Skiathos"))
        try files.createDirectory(at: release, withIntermediateDirectories: true)
        for name in ["Package.swift", "Sources", "Examples", "Tests"] {
            try files.copyItem(
                at: PackageDirectory.url.appendingPathComponent(name),
                to: release.appendingPathComponent(name))
        }
        let sources = URL(fileURLWithPath: directory.file("App/Sources/App"))
        try files.createDirectory(at: sources, withIntermediateDirectories: true)
        try Data(source.utf8).write(to: sources.appendingPathComponent("main.swift"))
        self.manifest = manifest.replacing(
            "https://github.com/OWNER/Skiathos", with: "file://\(release.path)")
        try depend(withTraits: "")
    }

    /// Writes the manifest, and forgets what was resolved for the one before.
    private func depend(withTraits traits: String) throws {
        let version = #"from: "0.1.0""#
        let text =
            traits.isEmpty ? manifest : manifest.replacing(version, with: "\(version), \(traits)")
        try Data(text.utf8).write(to: URL(fileURLWithPath: directory.file("App/Package.swift")))
        let resolved = directory.file("App/Package.resolved")
        if FileManager.default.fileExists(atPath: resolved) {
            try FileManager.default.removeItem(atPath: resolved)
        }
    }

    /// The packages that are fetched beside this one.
    ///
    /// - Parameter traits: The argument `traits` of the dependency, or nothing.
    func packages(withTraits traits: String) async throws -> [String] {
        try depend(withTraits: traits)
        try await release()
        let outcome = try await swift(["package", "resolve"])
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        struct Resolved: Decodable {
            struct Pin: Decodable { let identity: String }
            let pins: [Pin]
        }
        let file = URL(fileURLWithPath: directory.file("App/Package.resolved"))
        let resolved = try JSONDecoder().decode(Resolved.self, from: Data(contentsOf: file))
        return resolved.pins.map(\.identity).filter { $0 != "skiathos" }.sorted()
    }

    func description() async throws -> Outcome {
        try await release()
        return try await swift(["package", "dump-package"])
    }

    func build() async throws -> Outcome {
        try await release()
        return try await swift(["build"])
    }

    /// Makes the copy a repository with the tag of a release, if it is not one yet.
    private func release() async throws {
        let repository = directory.file("Skiathos")
        guard !FileManager.default.fileExists(atPath: "\(repository)/.git") else { return }
        let identity = ["-c", "user.name=Skiathos", "-c", "user.email=skiathos@localhost"]
        for arguments in [
            ["init", "--quiet"], ["add", "--all"], identity + ["commit", "--quiet", "-m", "0.1.0"],
            ["tag", "0.1.0"],
        ] {
            let outcome = try await run(["git", "-C", repository] + arguments, in: repository)
            try #require(outcome.exitCode == 0, "\(outcome.errors)")
        }
    }

    private func swift(_ arguments: [String]) async throws -> Outcome {
        try await run(["swift"] + arguments, in: directory.file("App"))
    }

    private func run(_ words: [String], in path: String) async throws -> Outcome {
        try await Command(executable: URL(fileURLWithPath: "/usr/bin/env"), directory: path)
            .run(words)
    }
}
