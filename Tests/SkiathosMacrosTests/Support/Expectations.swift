#if Macros
import MacroRequests
import MacroTestSupport
import Testing

/// Expects that a source expands to another one without problems.
func expectExpansion(
    of source: String, to expanded: String, at place: SourceLocation = #_sourceLocation
) {
    expectExpansion(of: source, by: .entity, to: expanded, at: place)
}

/// Expects problems, whatever the source expands to, and what the source becomes when the fix-its
/// with these messages are applied.
func expectProblems(
    in source: String, _ problems: [Problem], applying fixIts: [String]? = nil,
    gives fixed: String? = nil, at place: SourceLocation = #_sourceLocation
) {
    expectProblems(
        in: source, by: .entity, problems, applying: fixIts, gives: fixed, at: place)
}

/// What `source` expands to, for tests that look for a part of it.
func expansion(of source: String, at place: SourceLocation = #_sourceLocation) -> String {
    expansion(of: source, by: .entity, at: place)
}
#endif
