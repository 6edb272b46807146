#if Macros
import MacroRequests

/// A property without default.
func needsDefault(
    _ line: Int, _ column: Int, _ property: String, _ value: String, canBeOptional: Bool = true,
    advice: String = "Give it one, or make it optional."
) -> Problem {
    .problem(
        line, column,
        "'\(property)' needs a default so that create(in:) can make a new entity. \(advice)",
        fixIts: ["add '= \(value)'"] + (canBeOptional ? ["make it optional"] : []))
}

/// A property whose default does not show its type.
func needsType(
    _ line: Int, _ column: Int, _ property: String, _ type: String = "type"
) -> Problem {
    .problem(
        line, column,
        "The type of '\(property)' does not show in its default. Annotate it, so that @Entity knows how to store it.",
        fixIts: ["add ': \(type)'"])
}
#endif
