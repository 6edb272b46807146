import SkiathosStore

/// Writes conditions as SQL.
///
/// SQL has three truth values and Swift two. A comparison without a value yields SQL's third one,
/// which `WHERE`, `AND` and `OR` treat as false in the end; only its negation would differ, so that
/// is written `IS NOT TRUE`.
struct PredicateRenderer {
    private let texts: EntityTexts
    private(set) var text = SQLText()

    /// Writes for an entity.
    init(_ texts: EntityTexts) { self.texts = texts }

    /// Appends a condition, in parentheses where it has parts.
    mutating func append(_ predicate: StorePredicate) throws {
        switch predicate {
        case .constant(let value): text.append(value ? "TRUE" : "FALSE")
        case .comparison(let operand, let comparison, let value):
            appendComparison(operand, comparison, value)
        case .contained(let operand, let values):
            try ListRenderer(expression: expression(operand), column: column(operand))
                .append(values.map { folded($0, operand) }, to: &text)
        case .match(let operand, let match, let pattern): appendMatch(operand, match, pattern)
        case .all(let parts): try append(parts[...], joinedBy: " AND ", whenEmpty: "TRUE")
        case .any(let parts): try append(parts[...], joinedBy: " OR ", whenEmpty: "FALSE")
        case .not(let part):
            text.append("(")
            try append(part)
            text.append(" IS NOT TRUE)")
        }
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

    private mutating func appendComparison(
        _ operand: ColumnOperand, _ comparison: StorePredicate.Comparison, _ value: StoreValue
    ) {
        let column = column(operand)
        text.append("(" + expression(operand))
        switch comparison {
        case .equal: text.append(value == .null ? " IS " : " = ")
        case .notEqual: text.append(value == .null || column.isOptional ? " IS NOT " : " <> ")
        case .less: text.append(collated(column) + " < ")
        case .lessOrEqual: text.append(collated(column) + " <= ")
        case .greater: text.append(collated(column) + " > ")
        case .greaterOrEqual: text.append(collated(column) + " >= ")
        }
        text.append(folded(value, operand))
        text.append(")")
    }

    private mutating func appendMatch(
        _ operand: ColumnOperand, _ match: StorePredicate.TextMatch, _ pattern: String
    ) {
        let column = expression(operand)
        let pattern = ignoresCase(operand) ? TextFolding.fold(pattern) : pattern
        let count = pattern.unicodeScalars.count
        switch match {
        case _ where pattern.isEmpty: text.append("(\(column) IS NOT NULL)")
        case .prefix:
            text.append("(\(column) >= ")
            text.append(.text(pattern))
            if let bound = PrefixRange.upperBound(of: pattern) {
                text.append(" AND \(column) < ")
                text.append(.text(bound))
            }
            text.append(")")
        case .suffix:
            // SQLite counts the characters of substr() as Unicode scalars.
            text.append("(substr(\(column), \(-count)) = ")
            text.append(.text(pattern))
            text.append(")")
        case .contains:
            text.append("(instr(\(column), ")
            text.append(.text(pattern))
            text.append(") > 0)")
        }
    }

    private func column(_ operand: ColumnOperand) -> ColumnSchema {
        texts.entity.columns[operand.column]
    }

    private func collated(_ column: ColumnSchema) -> String {
        column.storage == .decimal ? " COLLATE \(DecimalOrder.collation)" : ""
    }

    private func ignoresCase(_ operand: ColumnOperand) -> Bool {
        operand.ignoresCase && column(operand).storage == .text
    }

    /// The column, folded if case is ignored.
    private func expression(_ operand: ColumnOperand) -> String {
        let column = texts.columns[operand.column]
        return ignoresCase(operand) ? "\(TextFolding.function)(\(column))" : column
    }

    private func folded(_ value: StoreValue, _ operand: ColumnOperand) -> StoreValue {
        guard ignoresCase(operand), case .text(let text) = value else { return value }
        return .text(TextFolding.fold(text))
    }
}

extension PredicateRenderer {
    /// What to sort by for an operand.
    func sortExpression(_ operand: ColumnOperand) -> String {
        expression(operand) + collated(column(operand))
    }
}
