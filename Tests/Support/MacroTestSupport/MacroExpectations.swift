package import MacroRequests
package import Testing

/// Expects that a source expands to another one without problems.
package func expectExpansion(
    of source: String, by macros: MacroRequest.Macros, to expanded: String,
    at place: SourceLocation = #_sourceLocation
) {
    check(source, MacroExpectation(expansion: expanded), by: macros, at: place)
}

/// Expects problems, and what the source becomes when the fix-its with these messages are applied.
///
/// The source may expand to anything if `expanded` is `nil`.
package func expectProblems(
    in source: String, by macros: MacroRequest.Macros, _ problems: [Problem],
    applying fixIts: [String]? = nil, gives fixed: String? = nil,
    expandingTo expanded: String? = nil,
    at place: SourceLocation = #_sourceLocation
) {
    check(
        source,
        MacroExpectation(expansion: expanded, problems: problems, fixIts: fixIts, fixed: fixed),
        by: macros, at: place)
}

/// What a source expands to, for tests that look for a part of it; empty after a failure, which is
/// recorded.
package func expansion(
    of source: String, by macros: MacroRequest.Macros,
    at place: SourceLocation = #_sourceLocation
) -> String {
    guard
        case .expansion(let text) = answer(to: MacroRequest(.expand, of: source, by: macros), place)
    else { return "" }
    return text
}

private func check(
    _ source: String, _ expectation: MacroExpectation, by macros: MacroRequest.Macros,
    at place: SourceLocation
) {
    let request = MacroRequest(.check(expectation), of: source, by: macros)
    guard case .failures(let failures) = answer(to: request, place) else { return }
    for failure in failures { Issue.record(Comment(rawValue: failure), sourceLocation: place) }
}

/// The answer of the program; without one, a failure is recorded.
private func answer(to request: MacroRequest, _ place: SourceLocation) -> MacroAnswer? {
    do {
        return try MacroProcess.answer(to: request)
    } catch {
        Issue.record(Comment(rawValue: "\(error)"), sourceLocation: place)
        return nil
    }
}
