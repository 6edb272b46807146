import Foundation
import TestSupport
import Testing

/// The tutorials of `Skiathos.docc`, whose steps a reader follows from an empty folder on.
@Suite(.serialized, .generousTimeLimit) struct TutorialStepsCompile {
    @Test func `the table of contents names every tutorial`() throws {
        let names = try PackageDirectory.files("tutorial", under: "\(Tutorial.catalogue)/Tutorials")
            .compactMap { $0.split(separator: "/").last?.dropLast(".tutorial".count) }
            .map(String.init).filter { $0 != "ShelfTutorials" }
        #expect(try Tutorial.names().sorted() == names)
        #expect(names.count == 3)
    }

    @Test func `every step shows a file, and every file of the steps is shown once`() throws {
        let tutorials = try Tutorial.names().map(Tutorial.init)
        for tutorial in tutorials {
            #expect(tutorial.steps.count == tutorial.stepCount, "\(tutorial.name)")
        }
        let shown = tutorials.flatMap(\.steps).map { "\(Tutorial.files)/\($0.file)" }
        let files = try ["swift", "txt"].flatMap {
            try PackageDirectory.files($0, under: Tutorial.files)
        }
        #expect(!files.isEmpty)
        #expect(shown.sorted() == files.sorted())
    }

    @Test func `every picture is there, for light and for dark`() throws {
        let pictures = try PackageDirectory.files("svg", under: Tutorial.catalogue)
            .compactMap { $0.split(separator: "/").last }.map(String.init)
        // The page of the contents is always dark.
        let images = try Tutorial.names().flatMap { try Tutorial($0).images }
        let needed =
            try Tutorial.imagesOfContents()
            + images.flatMap { [$0, $0.replacing(".svg", with: "~dark.svg")] }
        #expect(!needed.isEmpty)
        #expect(Set(needed).sorted() == pictures.sorted())
    }

    @Test func `what a terminal shows is compared with the text between the gaps`() throws {
        let text = "$ one\n$ two\na … c\n…\nend\n"
        let commands = Transcript(text).commands
        #expect(commands.map(\.line) == ["one", "two"])
        #expect(commands[0].prints(""))
        #expect(!commands[0].prints("a"))
        #expect(commands[1].prints("a b c\nanother\nend\n"))
        #expect(!commands[1].prints("a b c\nend\nanother\n"))
        #expect(!commands[1].prints("x a b c\nanother\nend\n"))
        #expect(!commands[1].prints("a b\nanother\nend\n"))
    }

    #if Macros
    /// The one with a server needs Hummingbird.
    private static func names() throws -> [String] {
        #if Requests
        try Tutorial.names()
        #else
        try Tutorial.names().filter { $0 != "ServeBooks" }
        #endif
    }

    @Test func `each step compiles, and each terminal shows what its programs print`() async throws
    {
        var package = TutorialPackage()
        var build = try TutorialBuild()
        var terminal = try TutorialTerminal()
        var commands = 0
        for tutorial in try Self.names().map(Tutorial.init) {
            for step in tutorial.steps {
                if step.isTerminal {
                    for command in Transcript(try Tutorial.text(of: step.file)).commands {
                        let output = try await terminal.run(command.line, package, &build)
                        #expect(command.prints(output), "\(step): \(command.line): \(output)")
                        commands += 1
                    }
                } else {
                    let before = try package.follow(step)
                    if let previous = step.previousFile { #expect(previous == before, "\(step)") }
                    let problems = try await build.problems(of: package)
                    #expect(problems == [], "\(step)")
                }
            }
            try await Self.expectDeclaredImports(of: package, &build, after: tutorial)
        }
        #expect(commands > 15)
    }

    /// The modules of this package are all there, so the compiler does not miss a dependency.
    private static func expectDeclaredImports(
        of package: TutorialPackage, _ build: inout TutorialBuild, after tutorial: Tutorial
    ) async throws {
        let manifest = try await build.manifest(of: package)
        for target in manifest.targets {
            let sources = package.sources(of: target)
            #expect(!sources.isEmpty, "\(tutorial.name): \(target.name)")
            let known = Set(target.dependencies.map(\.name) + ["Foundation", "Testing"])
            let imported = sources.values.flatMap { text in
                text.matches(of: /(?m)^import (\w+)$/).map { String($0.1) }
            }
            let missing = Set(imported).subtracting(known).sorted()
            #expect(missing == [], "\(tutorial.name): \(target.name)")
        }
    }
    #endif
}
