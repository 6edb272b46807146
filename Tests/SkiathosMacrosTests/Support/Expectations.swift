#if Macros
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import SkiathosMacroExpansion

private struct EntityMacro: EntityExpansion {}
private struct ColumnAttributeMacro: ColumnAttributeExpansion {}

private let macros: [String: MacroSpec] = [
    "Entity": MacroSpec(type: EntityMacro.self, conformances: ["Entity"]),
    "Unique": MacroSpec(type: ColumnAttributeMacro.self),
    "Indexed": MacroSpec(type: ColumnAttributeMacro.self),
    "Renamed": MacroSpec(type: ColumnAttributeMacro.self),
    "Searchable": MacroSpec(type: ColumnAttributeMacro.self),
    "Transient": MacroSpec(type: ColumnAttributeMacro.self),
    "References": MacroSpec(type: ColumnAttributeMacro.self),
]

/// Expects that a source expands to another one without problems.
func expectExpansion(
    of source: String, to expanded: String, at place: Testing.SourceLocation = #_sourceLocation
) {
    assertMacroExpansion(
        source, expandedSource: expanded, macroSpecs: macros,
        failureHandler: { Issue.record(Comment(rawValue: $0.message), sourceLocation: place) })
}

/// Expects problems, whatever the source expands to, and what the source becomes when the fix-its
/// with these messages are applied.
func expectProblems(
    in source: String, _ problems: [DiagnosticSpec], applying fixIts: [String]? = nil,
    gives fixed: String? = nil, at place: Testing.SourceLocation = #_sourceLocation
) {
    assertMacroExpansion(
        source, expandedSource: "", diagnostics: problems, macroSpecs: macros,
        applyFixIts: fixIts, fixedSource: fixed,
        failureHandler: { failure in
            let isAboutExpansion = failure.message.hasPrefix(
                "Macro expansion did not produce the expected expanded source")
            guard !isAboutExpansion else { return }
            Issue.record(Comment(rawValue: failure.message), sourceLocation: place)
        })
}

/// What `source` expands to, for tests that look for a part of it.
func expansion(of source: String) -> String {
    let file = Parser.parse(source: source)
    let context = BasicMacroExpansionContext(
        sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")])
    let expanded = file.expand(
        macroSpecs: macros,
        contextGenerator: { node in
            BasicMacroExpansionContext(
                sharingWith: context, lexicalContext: node.allMacroLexicalContexts())
        }, indentationWidth: .spaces(4))
    return expanded.description
}

extension DiagnosticSpec {
    /// A problem at a line and column, with the messages of its fix-its.
    static func problem(
        _ line: Int, _ column: Int, _ message: String, fixIts: [String] = []
    ) -> DiagnosticSpec {
        DiagnosticSpec(
            message: message, line: line, column: column,
            fixIts: fixIts.map { FixItSpec(message: $0) })
    }
}
#endif
