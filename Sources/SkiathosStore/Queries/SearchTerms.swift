/// The terms of a full-text search in the searchable columns of an entity.
///
/// ```swift
/// SearchTerms("love rock")             // both words, anywhere, in any order
/// SearchTerms("lov", matching: .prefixes)
/// ```
///
/// Words are compared without regard to case and diacritics. Any text is allowed: punctuation
/// separates words and means nothing else. A text without words matches no row.
public struct SearchTerms: Sendable, Hashable {
    /// How the words of the text are matched.
    public enum Matching: Sendable, Hashable, CaseIterable {
        /// All of them, in any order.
        case allWords
        /// At least one of them.
        case anyWord
        /// All of them, one directly after the other.
        case phrase
        /// All of them, each as the beginning of a word: what a user has typed so far.
        case prefixes
    }

    /// The text with the words to search.
    public var text: String
    /// How its words are matched.
    public var matching: Matching

    /// Makes terms of a text as a user has typed it.
    public init(_ text: String, matching: Matching = .allWords) {
        self.text = text
        self.matching = matching
    }

    /// Compares the texts as ``StoredText``, by their bytes, as a store does.
    public static func == (left: SearchTerms, right: SearchTerms) -> Bool {
        left.matching == right.matching && StoredText(left.text) == StoredText(right.text)
    }

    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(matching)
        hasher.combine(StoredText(text))
    }
}
