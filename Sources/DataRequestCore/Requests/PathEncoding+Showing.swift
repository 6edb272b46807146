#if RequestCore
extension PathEncoding {
    /// The part of an encoded path that may appear in messages, logs and spans.
    ///
    /// It ends before a question mark, number sign or semicolon, also if that is encoded, once
    /// or several times. The rest was meant as a query or a parameter, which may contain
    /// secrets.
    static func shown(_ path: String) -> String {
        var rest = path.utf8[...]
        var end = rest.startIndex
        while let byte = rest.first {
            guard !"?#;".utf8.contains(byte), !isEncodedEnd(rest) else { break }
            rest = rest.dropFirst()
            end = rest.startIndex
        }
        return String(decoding: path.utf8[..<end], as: UTF8.self)
    }

    /// Whether there is `%3F`, `%23` or `%3B`, with any number of `25` behind the percent sign.
    private static func isEncodedEnd(_ bytes: Substring.UTF8View) -> Bool {
        guard bytes.first == UInt8(ascii: "%") else { return false }
        var rest = bytes.dropFirst()
        while rest.starts(with: "25".utf8) { rest = rest.dropFirst(2) }
        return ["3F", "3f", "3B", "3b", "23"].contains { rest.starts(with: $0.utf8) }
    }
}
#endif
