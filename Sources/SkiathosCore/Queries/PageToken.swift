import SkiathosPlatformFoundation
import SkiathosStore

/// A position in the rows of a query: the last row of a page, after which the next page
/// begins, or its first row, before which the previous page ends.
///
/// Opaque text that may be sent to a client and come back. It holds the sort keys of that row,
/// so a client can read them; sign it where clients must not forge it.
public struct PageToken: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The text, made of letters, digits, `-` and `_`.
    public let rawValue: String

    /// Makes a token from its text; an invalid one is detected when it is used.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The text.
    public var description: String { rawValue }
}

/// The content of a token.
struct PagePosition: Codable {
    /// The query that it belongs to.
    var query: String
    /// The sort keys of the row.
    var values: [KeyValue]

    /// One sort key.
    ///
    /// Floating point numbers are encoded as bits, since JSON does not hold all of them.
    struct KeyValue: Codable {
        var integer: Int64?
        var real: UInt64?
        var text: String?
        var bytes: [UInt8]?

        init(_ value: StoreValue) {
            switch value {
            case .null: break
            case .integer(let value): integer = value
            case .real(let value): real = value.bitPattern
            case .text(let value): text = value
            case .blob(let value): bytes = value
            }
        }

        /// The value, if it can be one of a key of a storage class; otherwise `nil`, and also
        /// if there are several.
        func value(of storage: StorageClass, isOptional: Bool) -> StoreValue? {
            switch (storage, integer, real, text, bytes) {
            case (_, nil, nil, nil, nil) where isOptional: .null
            case (.integer, let value?, nil, nil, nil): .integer(value)
            case (.real, nil, let bits?, nil, nil): Self.real(bits)
            case (.text, nil, nil, let value?, nil), (.decimal, nil, nil, let value?, nil):
                value.utf8.contains(0) ? nil : .text(value)
            case (.blob, nil, nil, nil, let value?): .blob(value)
            default: nil
            }
        }

        private static func real(_ bits: UInt64) -> StoreValue? {
            let value = Double(bitPattern: bits)
            return value.isNaN ? nil : .real(value)
        }

        private enum CodingKeys: String, CodingKey {
            case integer = "i"
            case real = "r"
            case text = "t"
            case bytes = "b"
        }
    }

    private enum CodingKeys: String, CodingKey {
        case query = "q"
        case values = "v"
    }
}

extension PageToken {
    init(_ position: PagePosition) throws {
        let text = try JSONEncoder().encode(position).base64EncodedString()
        // RFC 4648, section 5: the alphabet that needs no escaping in a URL.
        rawValue = String(
            text.compactMap { character -> Character? in
                switch character {
                case "+": "-"
                case "/": "_"
                case "=": nil
                default: character
                }
            })
    }

    /// The content of the token, or `nil` if it is none.
    var position: PagePosition? {
        var text = String(rawValue.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: text).flatMap {
            try? JSONDecoder().decode(PagePosition.self, from: $0)
        }
    }
}
