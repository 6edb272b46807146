#if RequestCore
/// Compares protocol texts by their bytes.
///
/// A `Character` may be several scalars: a slash with a combining mark is one character, which
/// is not equal to a slash, while a server sees the slash. So code that decides about syntax
/// does not compare characters.
extension StringProtocol {
    /// The parts between a sign of ASCII, the empty ones included.
    package func parts(at sign: Unicode.Scalar) -> [String] {
        utf8.split(separator: UInt8(ascii: sign), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether the text begins with the bytes of another one.
    package func begins(with text: some StringProtocol) -> Bool { utf8.starts(with: text.utf8) }

    /// Whether the text ends with the bytes of another one.
    package func ends(with text: some StringProtocol) -> Bool {
        utf8.reversed().starts(with: text.utf8.reversed())
    }

    /// Whether a sign of ASCII is in the text.
    package func has(_ sign: Unicode.Scalar) -> Bool { utf8.contains(UInt8(ascii: sign)) }

    /// Whether the bytes of another text are in the text.
    package func has(text: some StringProtocol) -> Bool {
        let (bytes, wanted) = (Array(utf8), Array(text.utf8))
        guard bytes.count >= wanted.count else { return false }
        return (0...bytes.count - wanted.count).contains { bytes[$0...].starts(with: wanted) }
    }

    /// Whether the text is the same, byte by byte.
    package func equals(_ text: some StringProtocol) -> Bool { utf8.elementsEqual(text.utf8) }

    /// The text up to the first byte for which the closure says so.
    package func prefix(before isEnd: (UInt8) -> Bool) -> String {
        String(decoding: utf8.prefix { !isEnd($0) }, as: UTF8.self)
    }

    /// The text without so many bytes at its beginning and its end, which are of ASCII.
    package func dropping(first: Int = 0, last: Int = 0) -> String {
        String(decoding: utf8.dropFirst(first).dropLast(last), as: UTF8.self)
    }

    /// The text without spaces and tabs at both ends.
    package var trimmed: String {
        let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let rest = Array(utf8.drop(while: isSpace))
        let end = rest.lastIndex { !isSpace($0) } ?? -1
        return String(decoding: rest[...end], as: UTF8.self)
    }

    /// The number that the text is in digits of ASCII, without a sign; nil if it is not a number or too large.
    package var digits: Int? {
        guard !isEmpty, utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(self)
    }
}
#endif
