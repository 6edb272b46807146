import SkiathosStore

extension StoreValue {
    /// The value as it is written in SQL, for places that take no parameters.
    var sqlLiteral: String {
        switch self {
        case .null: "NULL"
        case .integer(let value): "\(value)"
        case .real(let value) where value == .infinity: "9e999"
        case .real(let value) where value == -.infinity: "-9e999"
        case .real(let value): "\(value)"
        case .text(let text): Self.quoted(text)
        case .blob(let bytes): "X'\(bytes.map(Self.hexadecimal).joined())'"
        }
    }

    /// A text in SQL's quotes.
    static func quoted(_ text: String) -> String {
        let parts = text.split(separator: "'", omittingEmptySubsequences: false)
        return "'\(parts.joined(separator: "''"))'"
    }

    /// Reads what ``sqlLiteral`` has written; `nil` if it is anything else.
    init?(sqlLiteral text: String) {
        guard let value = Self.read(text), value.sqlLiteral == text else { return nil }
        self = value
    }

    private static func read(_ text: String) -> StoreValue? {
        if text.hasPrefix("'") {
            return .text(String(text.dropFirst().dropLast()).replacing("''", with: "'"))
        }
        if text.hasPrefix("X'") { return bytes(text.utf8.dropFirst(2).dropLast()) }
        if text == "NULL" { return .null }
        if text.hasSuffix("9e999") { return .real(text.hasPrefix("-") ? -.infinity : .infinity) }
        return Int64(text).map { .integer($0) } ?? Double(text).map { .real($0) }
    }

    private static func bytes(_ digits: Substring.UTF8View) -> StoreValue? {
        let numbers = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard numbers.count == digits.count, numbers.count.isMultiple(of: 2) else { return nil }
        let pairs = stride(from: 0, to: numbers.count, by: 2)
        return .blob(pairs.map { UInt8(numbers[$0] << 4 | numbers[$0 + 1]) })
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return byte < 16 ? "0" + digits : digits
    }
}
