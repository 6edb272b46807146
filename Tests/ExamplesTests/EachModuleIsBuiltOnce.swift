import Foundation
import Testing

/// The package manager builds a module once for the machine that runs and once for the machine that
/// compiles, if both need it.
struct EachModuleIsBuiltOnce {
    /// Such a target is built for the plugin's platform, with all tests and all that they need.
    @Test func `no test target depends on a plugin`() async throws {
        let targets = try await Self.manifest().targets
        let plugins = Set(targets.filter { $0.type == "macro" }.map(\.name))
        let tests = targets.filter { $0.type == "test" }
        #expect(!plugins.isEmpty)
        #expect(!tests.isEmpty)
        for test in tests {
            let found = plugins.intersection(test.dependencies.map(\.name)).sorted()
            #expect(found.isEmpty, "\(test.name) depends on \(found); import its library instead.")
        }
    }

    /// What only plugins need is built for the machine that compiles alone.
    @Test func `no test links a module of swift-syntax`() async throws {
        for target in try await Self.manifest().needed(by: "test") where target.type != "macro" {
            let found = target.dependencies.filter { $0.package == "swift-syntax" }.map(\.name)
            #expect(
                found.isEmpty,
                "\(target.name) depends on \(found), and tests need it; reach it through MacroTestSupport."
            )
        }
    }

    /// What a plugin needs is built with it; warnings of other targets would not be seen.
    @Test func `the product of all tests needs every target`() async throws {
        let manifest = try await Self.manifest()
        let built = Set(["test", "macro"].flatMap(manifest.needed).map(\.name))
        #expect(built.contains("MacroExpander"))
        let forgotten = manifest.targets.map(\.name).filter { !built.contains($0) }
        #expect(forgotten.isEmpty, "Make a test target depend on \(forgotten).")
    }

    /// With `--build-tests` all targets are built for the machine that runs: the libraries of plugins
    /// as well.
    @Test func `make builds the product of all tests, and nothing that no test needs`() throws {
        let makefile = try PackageDirectory.text(of: "Makefile")
        let builds = makefile.split(separator: "\n").filter {
            !$0.hasPrefix("#") && $0.contains("swift build")
        }
        let tests = builds.filter { $0.hasPrefix("BUILD := ") }
        #expect(tests.count == 1)
        #expect(tests.allSatisfy { $0.contains("--product SkiathosPackageTests") })
        for build in builds {
            #expect(build.contains("--product ") || build.contains("--show-bin-path"))
        }
    }

    private static func manifest() async throws -> PackageManifest {
        try await PackageManifest.read(in: PackageDirectory.url.path)
    }
}

extension PackageManifest {
    /// The targets of a type, with all that they depend on.
    ///
    /// Plugins are found, but what they depend on only if the type is theirs, since it is built
    /// for another machine.
    fileprivate func needed(by type: String) -> [Target] {
        var found: Set<String> = []
        var open = targets.filter { $0.type == type }
        while let target = open.popLast() {
            guard found.insert(target.name).inserted, target.type != "macro" || type == "macro"
            else { continue }
            let names = Set(target.dependencies.filter { $0.package == nil }.map(\.name))
            open += targets.filter { names.contains($0.name) }
        }
        return targets.filter { found.contains($0.name) }
    }
}
