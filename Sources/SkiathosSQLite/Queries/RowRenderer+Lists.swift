import SkiathosStore

/// Lists of conditions, all of which or any of which are true.
extension RowRenderer {
    /// Appends a list of conditions, in parentheses.
    mutating func append(_ parts: [StorePredicate], isAll: Bool) throws {
        // Two parts stand as they were joined; a list of more is as shallow as it can be.
        var flat = parts
        if parts.count > 2 {
            flat = []
            Self.flatten(parts, isAll: isAll, into: &flat)
        }
        try append(
            deepestFirst(flat)[...], joinedBy: isAll ? " AND " : " OR ",
            whenEmpty: isAll ? "TRUE" : "FALSE")
    }

    /// Collects the parts of a list, and those of lists of the same kind in it.
    private static func flatten(
        _ parts: [StorePredicate], isAll: Bool, into flat: inout [StorePredicate]
    ) {
        for part in parts {
            switch (part, isAll) {
            case (.all(let inner), true), (.any(let inner), false):
                flatten(inner, isAll: isAll, into: &flat)
            default: flat.append(part)
            }
        }
    }

    /// The parts, and first those with queries inside of queries, if these are many.
    ///
    /// The parser of SQLite keeps what stands before a part on a stack of 100 symbols. The order makes no
    /// difference to the outcome.
    private func deepestFirst(_ parts: [StorePredicate]) -> [StorePredicate] {
        guard parts.count > 1, isDeep(parts) else { return parts }
        let depths = parts.map { StorePart.predicate($0).nesting }
        return parts.indices.sorted { (depths[$1], $0) < (depths[$0], $1) }.map { parts[$0] }
    }

    /// Whether more queries stand inside of each other than any order of their parts allows.
    func isDeep(_ parts: [StorePredicate]) -> Bool {
        parts.contains { depth + StorePart.predicate($0).nesting > 3 }
    }

    /// Halves the list again and again, so that a long one does not meet SQLite's limit on the
    /// depth of expressions.
    private mutating func append(
        _ parts: ArraySlice<StorePredicate>, joinedBy word: String, whenEmpty: String
    ) throws {
        guard let first = parts.first else { return text.append(whenEmpty) }
        guard parts.count > 1 else { return try append(first) }
        let middle = parts.startIndex + parts.count / 2
        text.append("(")
        try append(parts[..<middle], joinedBy: word, whenEmpty: whenEmpty)
        text.append(word)
        try append(parts[middle...], joinedBy: word, whenEmpty: whenEmpty)
        text.append(")")
    }
}
