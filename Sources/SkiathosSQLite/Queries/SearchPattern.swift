import SkiathosStore

/// Writes what is searched for in the language of FTS5 (sqlite.org/fts5.html, section 3).
enum SearchPattern {
    /// The pattern for terms, or `nil` if they hold no word.
    ///
    /// Every word is in quotation marks, so that none is taken for an operator.
    static func text(of terms: SearchTerms) -> String? {
        let words = words(of: terms.text)
        guard !words.isEmpty else { return nil }
        return switch terms.matching {
        case .allWords: words.map(quoted).joined(separator: " AND ")
        case .anyWord: words.map(quoted).joined(separator: " OR ")
        case .phrase: quoted(words.joined(separator: " "))
        case .prefixes: words.map { quoted($0) + "*" }.joined(separator: " AND ")
        }
    }

    private static func quoted(_ word: String) -> String { "\"\(word)\"" }

    /// The runs of letters, digits and marks, which is how the tokenizer sees them.
    private static func words(of text: String) -> [String] {
        text.unicodeScalars.split { !isPartOfWord($0) }.map { String($0) }
    }

    private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber, .letterNumber, .otherNumber, .nonspacingMark, .spacingMark,
            .enclosingMark, .privateUse:
            true
        default: false
        }
    }
}
