/// What a test expects of the macros in a source.
package struct MacroExpectation: Codable, Sendable {
    /// The expanded text; `nil` for any.
    package var expansion: String?
    /// All problems that are reported, in their order.
    package var problems: [Problem]
    /// The messages of the fix-its that are applied; `nil` for the first of each problem.
    package var fixIts: [String]?
    /// What the source becomes by applying them; `nil` if that is not looked at.
    package var fixed: String?

    package init(
        expansion: String? = nil, problems: [Problem] = [], fixIts: [String]? = nil,
        fixed: String? = nil
    ) {
        self.expansion = expansion
        self.problems = problems
        self.fixIts = fixIts
        self.fixed = fixed
    }
}

/// A diagnostic at a line and column, with the messages of its fix-its.
package struct Problem: Codable, Sendable, Hashable {
    package let line: Int
    package let column: Int
    package let message: String
    package let fixIts: [String]

    /// Reads as a word of its own in a list: `[.problem(1, 9, "…")]`.
    package static func problem(
        _ line: Int, _ column: Int, _ message: String, fixIts: [String] = []
    ) -> Problem {
        Problem(line: line, column: column, message: message, fixIts: fixIts)
    }
}
