/// A condition on the rows of one entity, in the form that every backend understands.
///
/// Conditions have two outcomes, as in Swift: a comparison with an absent value is false, and its
/// negation true. A backend must not let the third truth value of SQL through.
public indirect enum StorePredicate: Sendable, Hashable {
    /// How two values are compared.
    public enum Comparison: Sendable, Hashable, CaseIterable {
        /// The same value; no value equals no value.
        case equal
        /// Another value; no value differs from every value.
        case notEqual
        /// Smaller; never true without a value.
        case less
        /// Smaller or the same; never true without a value.
        case lessOrEqual
        /// Greater; never true without a value.
        case greater
        /// Greater or the same; never true without a value.
        case greaterOrEqual
    }

    /// Where a text is looked for.
    ///
    /// Texts are compared by their Unicode scalars.
    public enum TextMatch: Sendable, Hashable, CaseIterable {
        /// At the beginning.
        case prefix
        /// At the end.
        case suffix
        /// Anywhere.
        case contains
    }

    /// Always the same outcome.
    case constant(Bool)
    /// Compares with a value.
    case comparison(ColumnOperand, Comparison, StoreValue)
    /// Whether the value is one of these. No value is one of them only if they contain `.null`.
    case contained(ColumnOperand, [StoreValue])
    /// Looks for a text.
    case match(ColumnOperand, TextMatch, String)
    /// All are true.
    case all([StorePredicate])
    /// At least one is true.
    case any([StorePredicate])
    /// It is not true.
    case not(StorePredicate)
}

/// The value of a column as a condition or a sort key uses it.
public struct ColumnOperand: Sendable, Hashable {
    /// The position of the column.
    public var column: Int
    /// Whether upper and lower case count as the same, by Unicode's lower-case mapping.
    public var ignoresCase: Bool

    /// Makes an operand.
    public init(_ column: Int, ignoresCase: Bool = false) {
        self.column = column
        self.ignoresCase = ignoresCase
    }
}
