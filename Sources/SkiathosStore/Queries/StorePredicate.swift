/// A condition on the rows of one entity, in the form that every backend understands.
///
/// Conditions have two outcomes, as in Swift: a comparison with an absent value is false, and its
/// negation true. A backend must not let the third truth value of SQL through.
public enum StorePredicate: Sendable, Hashable {
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

    /// The direction in which a reference of an entity to itself is followed recursively.
    public enum Descent: Sendable, Hashable, CaseIterable {
        /// The references lead from the row to a given one, which thus stands above it.
        case descendants
        /// The references lead from a given row to this one, which thus stands above it.
        case ancestors
    }

    /// The position of a match in a text.
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
    /// Compares two values of one storage class.
    indirect case comparison(StoreExpression, Comparison, StoreExpression)
    /// Whether the value is one of these. No value is one of them only if they contain `.null`.
    indirect case contained(StoreExpression, [StoreValue])
    /// Whether the value is one of those of a selection. No value is one of them only if a result has none.
    indirect case containedIn(StoreExpression, StoreSelection)
    /// Looks for a text in another one.
    indirect case match(StoreExpression, TextMatch, StoreExpression)
    /// The reference at a position leads to a row that meets a condition.
    indirect case through(Int, StorePredicate)
    /// At least one row refers to this one and meets a condition.
    indirect case related(StoreRelation, StorePredicate?)
    /// The row is among the descendants or the ancestors of rows with these IDs, along the reference at
    /// a position, which is one to the same entity. Cycles end where they began.
    indirect case descent(Int, Descent, of: [StoreValue])
    /// The row is one of those of a query of the same entity.
    indirect case among(StoreRows)
    /// A row that stands around this one meets a condition.
    ///
    /// In the condition that row is the innermost one; the others stand around it as they stand here.
    indirect case outer(OuterRow, StorePredicate)
    /// The row's searchable columns match the words.
    indirect case search(SearchTerms)
    /// All are true.
    indirect case all([StorePredicate])
    /// At least one is true.
    indirect case any([StorePredicate])
    /// It is not true.
    indirect case not(StorePredicate)

    /// Whether rows of a group are needed to decide it.
    public var containsAggregate: Bool {
        switch self {
        case .constant, .through, .related, .descent, .among, .outer, .search: false
        case .comparison(let left, _, let right), .match(let left, _, let right):
            left.containsAggregate || right.containsAggregate
        case .contained(let expression, _), .containedIn(let expression, _):
            expression.containsAggregate
        case .all(let parts), .any(let parts): parts.contains(where: \.containsAggregate)
        case .not(let part): part.containsAggregate
        }
    }
}
