#if Macros
import MacroRequests
import MacroTestSupport
import Testing

/// Expects that a source expands to another one without problems.
func expectExpansion(
    of source: String, to expanded: String, at place: SourceLocation = #_sourceLocation
) {
    expectExpansion(of: source, by: .proxy, to: expanded, at: place)
}

/// Expects one problem in the member of a protocol, at a column, and nothing to be written.
func expectProblem(
    in member: String, column: Int, _ message: String,
    at place: SourceLocation = #_sourceLocation
) {
    let source = "protocol P {\n    \(member)\n}"
    expectProblems(
        in: "@WeakProxy \(source)", by: .proxy, [.problem(2, column, message)],
        expandingTo: source.replacing(#/@Fallback\(.*?\) /#, with: ""), at: place)
}
#endif
