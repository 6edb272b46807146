/// A text that equals another one if both have the same bytes.
struct ExactText: Hashable, Comparable, CustomStringConvertible {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: Self, right: Self) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    static func < (left: Self, right: Self) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }

    /// The scalars, since twins look the same.
    var description: String {
        text.unicodeScalars.map {
            $0.isASCII ? String($0) : "\\u{\(String($0.value, radix: 16))}"
        }.joined()
    }

    /// Texts of which several look the same, are canonically equivalent, differ by case alone, or by a
    /// sign without width.
    static let twins = [
        "\u{e9}", "e\u{301}", "\u{c9}", "E\u{301}", "e", "e\u{200b}", "e\u{200d}", "\u{212b}",
        "\u{c5}",
        "A\u{30a}", "a\u{323}\u{307}", "a\u{307}\u{323}", "\u{1e69}", "s\u{323}\u{307}", "\u{ac00}",
        "\u{1100}\u{1161}", "\u{fb01}", "fi", "\u{3a9}", "\u{2126}", "\u{feff}e", "ß", "ss", "SS",
    ]
}
