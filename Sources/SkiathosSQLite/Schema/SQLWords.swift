/// The words of a statement, to search it without parsing it.
struct SQLWords {
    /// The words outside of quotes and comments, in upper case.
    private(set) var unquoted: [String] = []
    /// The first word or quoted name.
    private(set) var firstName: String?

    init(_ sql: String) {
        var rest = Substring(sql).unicodeScalars[...]
        while let next = rest.first {
            switch next {
            case "\"", "'", "`", "[":
                let name = Self.takeQuoted(&rest, end: next == "[" ? "]" : next)
                if firstName == nil { firstName = name }
            case "-" where rest.dropFirst().first == "-":
                rest = rest.drop { $0 != "\n" }
            case "/" where rest.dropFirst().first == "*":
                Self.dropComment(&rest)
            case _ where Self.isPartOfWord(next):
                let word = String(String.UnicodeScalarView(rest.prefix(while: Self.isPartOfWord)))
                rest = rest.drop(while: Self.isPartOfWord)
                if firstName == nil { firstName = word }
                unquoted.append(word.uppercased())
            default: rest.removeFirst()
            }
        }
    }

    /// Removes a name in quotes, in which two quotes stand for one, and returns it.
    private static func takeQuoted(
        _ rest: inout Substring.UnicodeScalarView, end: Unicode.Scalar
    ) -> String {
        rest.removeFirst()
        var name = String.UnicodeScalarView()
        while let next = rest.popFirst() {
            if next == end {
                guard end != "]", rest.first == end else { break }
                rest.removeFirst()
            }
            name.append(next)
        }
        return String(name)
    }

    private static func dropComment(_ rest: inout Substring.UnicodeScalarView) {
        rest = rest.dropFirst(2)
        while let next = rest.popFirst() {
            if next == "*", rest.first == "/" {
                rest.removeFirst()
                return
            }
        }
    }

    private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.isASCII || scalar == "_" || scalar == "$"
            || ("0"..."9").contains(scalar) || ("a"..."z").contains(scalar)
            || ("A"..."Z").contains(scalar)
    }
}
