import Foundation
import Testing

@Suite struct HarnessTests {
    @Test func `a program that compiles is no misuse`() async throws {
        let program = try await Trial("let age: Int = 1", "// expected-error: cannot convert")
        #expect(
            program.objectionsToRefusal == [
                "The program compiles.", "Missing at line 2: cannot convert",
            ])
        #expect(program.objectionsToAcceptance == ["The program names an error."])
    }

    @Test func `an error on another line is not the one that was named`() async throws {
        let program = try await Trial(
            "let age: Int = 1", "// expected-error: cannot convert", "let name: String = 2")
        #expect(
            program.objectionsToRefusal == [
                "Missing at line 2: cannot convert",
                "Not expected at line 4: error: cannot convert value of type 'Int' to specified type 'String'",
            ])
    }

    @Test func `another error on the same line is not the one that was named`() async throws {
        let program = try await Trial("let name: String = 2", "// expected-error: data races")
        #expect(
            program.objectionsToRefusal == [
                "Missing at line 2: data races",
                "Not expected at line 2: error: cannot convert value of type 'Int' to specified type 'String'",
            ])
    }

    @Test func `an error beside the named one is reported`() async throws {
        let program = try await Trial(
            "let name: String = 2", "// expected-error: cannot convert", "let age: Int = unknown")
        #expect(
            program.objectionsToRefusal == [
                "Not expected at line 4: error: cannot find 'unknown' in scope"
            ])
    }

    @Test func `a named error at its place is all that a misuse needs`() async throws {
        let program = try await Trial("let name: String = 2", "// expected-error: cannot convert")
        #expect(program.objectionsToRefusal == [])
    }

    @Test func `a program that names no error is not checked in silence`() async throws {
        let program = try await Trial("let age: Int = 1")
        #expect(
            program.objectionsToRefusal == ["The program names no error.", "The program compiles."])
    }

    @Test func `a warning is no way to be accepted`() async throws {
        let program = try await Trial("func age() { let age = 1 }")
        #expect(program.objectionsToAcceptance.count == 1)
        #expect(program.objectionsToAcceptance.first?.contains("line 2: warning: ") == true)
    }

    @Test func `an error in the code of a macro is reported where the macro stands`() {
        let output = """
            expansion.swift:7:69: error: it cannot be stored
            Book.swift:5:1: note: in expansion of macro 'Entity' on struct 'Book' here
            expansion.swift:18:60: error: it cannot be stored
            Book.swift:5:1: note: in expansion of macro 'Entity' on struct 'Book' here
            Coding.swift:80:24: note: 'of' has been explicitly marked unavailable here
            """
        let diagnostics = Diagnostic.all(in: output)
        #expect(diagnostics.count == 1)
        #expect(diagnostics.first?.path == "Book.swift")
        #expect(diagnostics.first?.line == 5)
        #expect(diagnostics.first?.message == "it cannot be stored")
    }

    @Test func `a compiler that breaks down is no refusal`() throws {
        let program = try Trial.program(["let age: Int = 1"])
        let outcome = Compiler.Outcome(isSuccess: false, output: "Segmentation fault")
        #expect(
            program.objectionsToAcceptance(outcome) == ["The compiler failed: Segmentation fault"])
        #expect(
            program.objectionsToRefusal(outcome) == [
                "The program names no error.", "The compiler failed: Segmentation fault",
            ])
    }

    @Test func `a missing compiler is reported`() {
        let error = #expect(throws: HarnessError.self) {
            try Compiler(searchPath: "/nowhere:/neither", BuildProducts())
        }
        #expect(error?.description.contains("no swiftc in the search path") == true)
    }

    @Test func `a folder without programs is reported`() {
        #expect(throws: (any Error).self) { try Program.all(in: "Nowhere") }
    }
}

/// A program of a few lines below its reason, and what both judgements have to say about it.
private struct Trial {
    let objectionsToRefusal: [String]
    let objectionsToAcceptance: [String]

    init(_ lines: String...) async throws {
        let program = try Self.program(lines)
        defer { try? FileManager.default.removeItem(atPath: program.path) }
        let outcome = try await Compiler.shared.get().compile(program)
        objectionsToRefusal = program.objectionsToRefusal(outcome)
        objectionsToAcceptance = program.objectionsToAcceptance(outcome)
    }

    static func program(_ lines: [String]) throws -> Program {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("skiathos-misuse-" + UUID().uuidString + ".swift")
        try (["// Shows how the tests judge."] + lines).joined(separator: "\n")
            .write(to: file, atomically: true, encoding: .utf8)
        return try Program(path: file.path)
    }
}
