import Testing

/// The Swift blocks of a document as a program.
///
/// - A block that begins with an import or a declaration of a type or function stands at the top
///   of the file.
/// - All other blocks are the body of one function, in their order. Each has a scope of its own
///   inside of that of the block before, so it sees what was declared before it and may use a name
///   anew.
/// - A block that begins with `// Does not compile:` is no part of that. It must be refused when it
///   stands in its place, with an error that contains the words behind the colon.
/// - A block that begins with `// swift-tools-version:` is a manifest and no part of it either.
struct Program {
    private var declarations: [String] = ["import Skiathos"]
    private var statements: [String] = []
    /// The programs that must be refused, each with the words of the error.
    private(set) var refused: [(source: String, error: String)] = []

    init(_ document: Document) {
        for block in document.blocks
        where block.language == "swift" && !document.manifests.contains(block.text) {
            let text = """
                #sourceLocation(file: "\(document.path)", line: \(block.line))
                \(block.text)
                #sourceLocation()
                """
            if let match = block.text.firstMatch(of: /^\/\/ Does not compile: (.+)/) {
                refused.append((source(endingWith: [text]), String(match.1)))
            } else if block.text.contains(
                /^(import|@|(final |indirect )?(struct|class|enum|actor|protocol|extension|func)) ?/
            ) {
                declarations.append(text)
            } else {
                statements.append(text)
            }
        }
    }

    /// The program of all blocks that must compile.
    var source: String { source(endingWith: []) }

    private func source(endingWith end: [String]) -> String {
        let body = (statements + end).map { "do {\n\($0)\n" }.joined()
        let closing = String(repeating: "}\n", count: statements.count + end.count)
        return """
            \(declarations.joined(separator: "\n"))
            func page() async throws {
            \(body)\(closing)}
            """
    }
}

// One at a time: a compiler takes a core and much memory.
@Suite(.serialized) struct SnippetsCompile {
    private let compiler = SwiftCompiler()

    #if Macros && Requests
    @Test(arguments: try PackageDirectory.files("md"))
    func `the Swift blocks of a document are one program`(_ path: String) async throws {
        let document = try Document(path)
        guard document.blocks.contains(where: { $0.language == "swift" }) else { return }
        let program = Program(document)
        let errors = try await compiler.errors(in: program.source)
        #expect(errors == [])
        for (source, error) in program.refused {
            let errors = try await compiler.errors(in: source)
            #expect(errors.contains { $0.contains(error) }, "\(errors)")
        }
    }
    #endif

    @Test func `the entity by hand in the comments of Entity compiles`() async throws {
        let path = "Sources/SkiathosCore/Entities/Entity.swift"
        let comments = try PackageDirectory.text(of: path)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("/// ") ? String($0.dropFirst(4)) : "" }
        let document = Document(path, text: comments.joined(separator: "\n"))
        #expect(document.blocks.count == 1)
        let errors = try await compiler.errors(in: Program(document).source)
        #expect(errors == [])
    }

    @Test func `a program with a mistake is refused`() async throws {
        let document = Document(
            "Mistake.md", text: "\n```swift\nlet number = 1\n```\n\n```swift\nnumber.age = 2\n```\n"
        )
        let errors = try await compiler.errors(in: Program(document).source)
        #expect(errors.count == 1)
        #expect(errors.first?.contains("Mistake.md:7:8: error: ") == true)
    }
}
