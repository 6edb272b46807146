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

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return byte < 16 ? "0" + digits : digits
    }
}
