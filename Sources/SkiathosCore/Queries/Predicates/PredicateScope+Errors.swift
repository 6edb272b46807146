import SkiathosPlatformFoundation
import SkiathosStore

extension PredicateScope {
    /// The error for a predicate that cannot be walked within the stack of a thread.
    var tooDeep: StoreError {
        StoreError(
            .tooComplex,
            "A predicate of \(entity) has too many parts: more than some hundred, or more than \(Extent.deepest) inside of each other. Ask a collection for contains(_:), or combine queries, as in query.where(other)."
        )
    }

    /// The error for an expression that a store cannot compute.
    func unsupported(_ finding: String, _ advice: String) -> DataAccessError {
        DataAccessError(
            .unsupportedPredicate,
            "A predicate of \(entity) \(finding), which the store is not asked. \(advice)")
    }

    /// The error for a kind of expression that has no counterpart.
    func unsupported(_ node: Any.Type) -> DataAccessError {
        let name = String(describing: node).prefix { $0 != "<" }
        guard let (finding, advice) = Self.unsupportedNodes[String(name)] else {
            return unsupported(
                "contains an expression of the kind \(name)",
                "Write this part as a condition of the entity's columns.")
        }
        return unsupported(finding, advice)
    }

    private static let ignoringCase =
        "Use caseInsensitive in a condition of the entity's columns, as in User.where { $0.name.caseInsensitive == name }."

    /// By the names of Foundation's types, some of which are not on every platform.
    private static let unsupportedNodes: [String: (finding: String, advice: String)] = [
        "StringLocalizedStandardContains": (
            "searches a text by the rules of a language (localizedStandardContains)", ignoringCase
        ),
        "StringLocalizedCompare": (
            "compares texts by the rules of a language (localizedCompare)", ignoringCase
        ),
        "StringCaseInsensitiveCompare": (
            "compares texts without regard to case (caseInsensitiveCompare)", ignoringCase
        ),
        "StringContainsRegex": (
            "searches a text for a regular expression",
            "Use contains or starts(with:), or filter the fetched values."
        ),
        "Filter": (
            "filters a collection (filter)", "Filter captured values before the predicate."
        ),
        "PredicateEvaluate": (
            "evaluates another predicate", "Combine the queries, as in query.where(other)."
        ),
        "ExpressionEvaluate": (
            "evaluates an expression that is a value",
            "Write it in the predicate itself."
        ),
    ]
}
