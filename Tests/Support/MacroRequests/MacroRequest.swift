/// What tests ask of the program that expands macros.
package struct MacroRequest: Codable, Sendable {
    /// The macros that the program knows while it expands a source.
    package enum Macros: String, Codable, Sendable {
        /// `@Entity` and the attributes of its properties.
        case entity
        /// `@WeakProxy` and `@Fallback`.
        case proxy
    }

    /// What is done with the source.
    package enum Task: Codable, Sendable {
        /// Answered by the expanded text.
        case expand
        /// Answered by what differs from an expectation.
        case check(MacroExpectation)
    }

    package let macros: Macros
    package let source: String
    package let task: Task

    package init(_ task: Task, of source: String, by macros: Macros) {
        self.macros = macros
        self.source = source
        self.task = task
    }
}

/// What the program that expands macros answers.
package enum MacroAnswer: Codable, Sendable {
    /// The expanded text.
    case expansion(String)
    /// What differs from an expectation; empty if nothing does.
    case failures([String])
}
