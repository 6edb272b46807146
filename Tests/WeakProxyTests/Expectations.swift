#if Macros
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import WeakProxyMacroExpansion

private struct WeakProxyMacro: WeakProxyExpansion {}
private struct FallbackMacro: FallbackExpansion {}

private let macros: [String: MacroSpec] = [
    "WeakProxy": MacroSpec(type: WeakProxyMacro.self),
    "Fallback": MacroSpec(type: FallbackMacro.self),
]

/// Expects that a source expands to another one without problems.
func expectExpansion(
    of source: String, to expanded: String, at place: Testing.SourceLocation = #_sourceLocation
) {
    assertMacroExpansion(
        source, expandedSource: expanded, macroSpecs: macros,
        failureHandler: { Issue.record(Comment(rawValue: $0.message), sourceLocation: place) })
}

/// Expects one problem in the member of a protocol, at a column, and nothing to be written.
func expectProblem(
    in member: String, column: Int, _ message: String,
    at place: Testing.SourceLocation = #_sourceLocation
) {
    let source = "protocol P {\n    \(member)\n}"
    assertMacroExpansion(
        "@WeakProxy \(source)",
        expandedSource: source.replacing(#/@Fallback\(.*?\) /#, with: ""),
        diagnostics: [DiagnosticSpec(message: message, line: 2, column: column)],
        macroSpecs: macros,
        failureHandler: { Issue.record(Comment(rawValue: $0.message), sourceLocation: place) })
}
#endif
