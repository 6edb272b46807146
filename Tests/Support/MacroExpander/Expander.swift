#if Macros
import Foundation
import MacroRequests
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport

/// Expands macros for tests: reads requests from the standard input, one in a line, and writes an
/// answer for each to the standard output.
///
/// It is built for the machine that compiles, as the plugins are. Tests that expanded macros
/// themselves would need all of swift-syntax a second time.
@main
struct Expander {
    static func main() throws {
        while let line = readLine() {
            let request = try JSONDecoder().decode(MacroRequest.self, from: Data(line.utf8))
            let answer = try JSONEncoder().encode(answer(to: request))
            try FileHandle.standardOutput.write(contentsOf: answer + Data("\n".utf8))
        }
    }

    private static func answer(to request: MacroRequest) -> MacroAnswer {
        switch request.task {
        case .expand:
            .expansion(expansion(of: request.source, by: request.macros))
        case .check(let expectation):
            .failures(failures(of: expectation, in: request.source, by: request.macros))
        }
    }

    /// What `source` expands to.
    private static func expansion(of source: String, by macros: MacroRequest.Macros) -> String {
        let file = Parser.parse(source: source)
        let context = BasicMacroExpansionContext(
            sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")])
        let expanded = file.expand(
            macroSpecs: macros.specs,
            contextGenerator: { node in
                BasicMacroExpansionContext(
                    sharingWith: context, lexicalContext: node.allMacroLexicalContexts())
            }, indentationWidth: .spaces(4))
        return expanded.description
    }

    /// What swift-syntax finds to differ from an expectation.
    private static func failures(
        of expectation: MacroExpectation, in source: String, by macros: MacroRequest.Macros
    ) -> [String] {
        var failures: [String] = []
        assertMacroExpansion(
            source, expandedSource: expectation.expansion ?? "",
            diagnostics: expectation.problems.map(\.specification), macroSpecs: macros.specs,
            applyFixIts: expectation.fixIts, fixedSource: expectation.fixed,
            failureHandler: { failures.append($0.message) })
        guard expectation.expansion == nil else { return failures }
        // The function has no way to leave the expansion open.
        return failures.filter {
            !$0.hasPrefix("Macro expansion did not produce the expected expanded source")
        }
    }
}

extension Problem {
    fileprivate var specification: DiagnosticSpec {
        DiagnosticSpec(
            message: message, line: line, column: column,
            fixIts: fixIts.map { FixItSpec(message: $0) })
    }
}
#else
// A macro target has to link even where the trait leaves its contents out.
@main
struct Expander {
    static func main() {}
}
#endif
