public import SkiathosStore

/// `String` and `String?`, whose columns can be searched for text.
public protocol TextColumnValue: ColumnValue {}

extension String: TextColumnValue {}
extension Optional: TextColumnValue where Wrapped == String {}

extension Column where Value: TextColumnValue {
    /// Begins with a text, compared by Unicode scalars.
    ///
    /// An index on the column is used.
    public func hasPrefix(_ prefix: String) -> Condition<E> { match(.prefix, prefix) }

    /// Ends with a text, compared by Unicode scalars.
    public func hasSuffix(_ suffix: String) -> Condition<E> { match(.suffix, suffix) }

    /// Contains a text, compared by Unicode scalars.
    public func contains(_ text: String) -> Condition<E> { match(.contains, text) }

    /// The column without the difference between upper and lower case, by Unicode's lower-case
    /// mapping.
    ///
    /// No index is used.
    ///
    /// ```swift
    /// try User.all(where: { $0.lastname.caseInsensitive.hasPrefix("ö") }, in: context)   // Öztürk
    /// ```
    public var caseInsensitive: CaseInsensitiveColumn<E> {
        CaseInsensitiveColumn(operand: ColumnOperand(position, ignoresCase: true))
    }

    private func match(_ kind: StorePredicate.TextMatch, _ text: String) -> Condition<E> {
        Condition.match(ColumnOperand(position), kind, text)
    }
}

/// A text column without the difference between upper and lower case.
public struct CaseInsensitiveColumn<E: Entity>: Sendable {
    let operand: ColumnOperand

    /// The same text but for case.
    public static func == (column: CaseInsensitiveColumn, text: String) -> Condition<E> {
        column.compare(.equal, text)
    }

    /// Another text, whatever the case; rows without one differ from every text.
    public static func != (column: CaseInsensitiveColumn, text: String) -> Condition<E> {
        column.compare(.notEqual, text)
    }

    /// Begins with a text but for case.
    public func hasPrefix(_ prefix: String) -> Condition<E> {
        Condition.match(operand, .prefix, prefix)
    }

    /// Ends with a text but for case.
    public func hasSuffix(_ suffix: String) -> Condition<E> {
        Condition.match(operand, .suffix, suffix)
    }

    /// Contains a text but for case.
    public func contains(_ text: String) -> Condition<E> {
        Condition.match(operand, .contains, text)
    }

    /// One of these texts but for case.
    public func `in`(_ texts: [String]) -> Condition<E> {
        let operand = operand
        return Condition(Result { .contained(operand, try texts.map(Self.encode)) })
    }

    /// Small first, whatever the case.
    public var ascending: Ordering<E> { Ordering(.init(operand, descending: false)) }

    /// Large first, whatever the case.
    public var descending: Ordering<E> { Ordering(.init(operand, descending: true)) }

    private func compare(_ comparison: StorePredicate.Comparison, _ text: String) -> Condition<E> {
        Condition(Result { .comparison(operand, comparison, try Self.encode(text)) })
    }

    private static func encode(_ text: String) throws -> StoreValue {
        try StoreValue(text, Coding.of(String.self))
    }
}

extension Condition {
    fileprivate static func match(
        _ operand: ColumnOperand, _ kind: StorePredicate.TextMatch, _ text: String
    ) -> Condition {
        // Encoding finds texts that no column can hold.
        Condition(
            Result { try StoreValue(text, Coding.of(String.self)) }
                .map { _ in .match(operand, kind, text) })
    }
}
