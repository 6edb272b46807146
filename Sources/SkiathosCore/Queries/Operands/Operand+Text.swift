public import SkiathosStore

/// `String` and `String?`, whose columns can be searched for text.
public protocol TextColumnValue: ColumnValue {}

extension String: TextColumnValue {}
extension Optional: TextColumnValue where Wrapped == String {}

extension QueryOperand where Value: TextColumnValue {
    /// Begins with a text, compared by Unicode scalars.
    ///
    /// An index on the column is used.
    public func hasPrefix(_ prefix: String) -> Condition<Root> {
        .match(expression, .prefix, prefix)
    }

    /// Ends with a text, compared by Unicode scalars.
    public func hasSuffix(_ suffix: String) -> Condition<Root> {
        .match(expression, .suffix, suffix)
    }

    /// Contains a text, compared by Unicode scalars.
    public func contains(_ text: String) -> Condition<Root> {
        .match(expression, .contains, text)
    }

    /// The text without the difference between upper and lower case, by Unicode's lower-case
    /// mapping.
    ///
    /// No index is used.
    ///
    /// ```swift
    /// try User.all(where: { $0.lastname.caseInsensitive.hasPrefix("ö") }, in: context)   // Öztürk
    /// ```
    public var caseInsensitive: CaseInsensitiveText<Root, Value> {
        CaseInsensitiveText(folded: lowercased())
    }

    /// The text in lower case, by Unicode's mapping.
    public func lowercased() -> ColumnExpression<Root, Value> { call(.lowercased) }

    /// The text in upper case, by Unicode's mapping.
    public func uppercased() -> ColumnExpression<Root, Value> { call(.uppercased) }

    /// The text without white space and line ends around it.
    public var trimmed: ColumnExpression<Root, Value> { call(.trimmed) }

    /// The text, with every occurrence of another one replaced, compared by Unicode scalars.
    ///
    /// An empty text is found nowhere.
    public func replacing(
        _ text: String, with replacement: String
    ) -> ColumnExpression<Root, Value> {
        let operand = expression
        return ColumnExpression(
            operand.source.flatMap { source in
                Result {
                    .call(
                        .replacing,
                        [
                            source, .value(try StoreValue(text, Coding.of(String.self))),
                            .value(try StoreValue(replacement, Coding.of(String.self))),
                        ])
                }
            }, operand.coding)
    }

    private func call(_ function: StoreFunction) -> ColumnExpression<Root, Value> {
        let operand = expression
        return operand.mapping(operand.coding) { .call(function, [$0]) }
    }
}

extension QueryOperand {
    /// Exists only for its diagnostic: without this the compiler would look for a related
    /// column.
    @available(*, unavailable, message: "only texts have upper and lower case.")
    @_disfavoredOverload
    public var caseInsensitive: CaseInsensitiveText<Root, String> {
        preconditionFailure("Only texts have upper and lower case.")
    }
}

extension QueryOperand where Value == String {
    /// The number of characters, as Swift counts them.
    public var length: ColumnExpression<Root, Int> {
        expression.mapping(ValueCoding(Coding.of(Int.self))) { .call(.characterCount, [$0]) }
    }

    /// The text followed by another one.
    public static func + (operand: Self, text: String) -> ColumnExpression<Root, String> {
        operand.expression.concatenated(operand.expression.constant(text))
    }

    /// A text followed by that of a column.
    public static func + (text: String, operand: Self) -> ColumnExpression<Root, String> {
        operand.expression.constant(text).concatenated(operand.expression)
    }

    /// The text followed by that of another column.
    public static func + <Other: QueryOperand>(
        left: Self, right: Other
    ) -> ColumnExpression<Root, String> where Other.Root == Root, Other.Value == String {
        left.expression.concatenated(right.expression)
    }
}

extension QueryOperand where Value == String? {
    /// The number of characters, as Swift counts them.
    public var length: ColumnExpression<Root, Int?> {
        expression.mapping(ValueCoding(Coding.of(Int?.self))) { .call(.characterCount, [$0]) }
    }
}

extension ColumnExpression where Value == String {
    fileprivate func concatenated(_ other: ColumnExpression) -> ColumnExpression {
        .combining(self, other, coding) { .call(.concatenated, [$0, $1]) }
    }
}

/// A text without the difference between upper and lower case.
public struct CaseInsensitiveText<Root: Entity, Value: TextColumnValue>: Sendable {
    let folded: ColumnExpression<Root, Value>

    /// The same text but for case.
    public static func == (operand: CaseInsensitiveText, text: String) -> Condition<Root> {
        operand.compare(.equal, text)
    }

    /// Another text, whatever the case; rows without one differ from every text.
    public static func != (operand: CaseInsensitiveText, text: String) -> Condition<Root> {
        operand.compare(.notEqual, text)
    }

    /// Begins with a text but for case.
    public func hasPrefix(_ prefix: String) -> Condition<Root> {
        .match(folded, .prefix, prefix.lowercased())
    }

    /// Ends with a text but for case.
    public func hasSuffix(_ suffix: String) -> Condition<Root> {
        .match(folded, .suffix, suffix.lowercased())
    }

    /// Contains a text but for case.
    public func contains(_ text: String) -> Condition<Root> {
        .match(folded, .contains, text.lowercased())
    }

    /// One of these texts but for case.
    public func `in`(_ texts: [String]) -> Condition<Root> {
        Condition(
            folded.source.flatMap { source in
                Result { .contained(source, try texts.map(Self.encode)) }
            })
    }

    /// Small first, whatever the case.
    public var ascending: Ordering<Root> { folded.ascending }

    /// Large first, whatever the case.
    public var descending: Ordering<Root> { folded.descending }

    private func compare(
        _ comparison: StorePredicate.Comparison, _ text: String
    ) -> Condition<Root> {
        Condition(
            folded.source.flatMap { source in
                Result { .comparing(source, comparison, .value(try Self.encode(text))) }
            })
    }

    private static func encode(_ text: String) throws -> StoreValue {
        try StoreValue(text.lowercased(), Coding.of(String.self))
    }
}

extension Condition {
    fileprivate static func match<Value>(
        _ operand: ColumnExpression<E, Value>, _ kind: StorePredicate.TextMatch, _ text: String
    ) -> Condition {
        Condition(
            operand.source.flatMap { source in
                // Encoding detects texts that no column can hold.
                Result { try StoreValue(text, Coding.of(String.self)) }
                    .map { .matching(source, kind, .value($0)) }
            })
    }
}

extension StorePredicate {
    /// A search for a text, which is moved to the row that a reference leads to.
    static func matching(
        _ source: StoreExpression, _ kind: TextMatch, _ pattern: StoreExpression
    ) -> StorePredicate {
        switch (source, pattern) {
        case (.outer(let row, let inner), .value): .outer(row, matching(inner, kind, pattern))
        case (.through(let reference, let inner), .value):
            .through(reference, matching(inner, kind, pattern))
        default: .match(source, kind, pattern)
        }
    }
}
