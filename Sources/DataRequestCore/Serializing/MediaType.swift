#if RequestCore
/// A media type with its parameters, such as `text/plain; charset=utf-8` (RFC 9110).
///
/// ```swift
/// MediaType("Application/Problem+JSON; q=\"1\"")?.suffix   // "json"
/// ```
public struct MediaType: Sendable, Hashable, CustomStringConvertible {
    /// The part before the slash, in small letters.
    public let type: String
    /// The part after the slash, in small letters.
    public let subtype: String
    /// The parameters with their names in small letters; the first of a name counts.
    public let parameters: [String: String]

    private init(known type: String, _ subtype: String) {
        self.type = type
        self.subtype = subtype
        parameters = [:]
    }

    /// Reads a type; nil if it is not valid, such as a text without a slash.
    public init?(_ text: String) {
        var scanner = MediaTypeScanner(text)
        guard let type = scanner.token(), scanner.skip("/"), let subtype = scanner.token() else {
            return nil
        }
        self.type = type.lowercased()
        self.subtype = subtype.lowercased()
        var parameters: [String: String] = [:]
        scanner.skipSpaces()
        while scanner.skip(";") {
            scanner.skipSpaces()
            // Empty parameters are allowed, as in `text/plain;`.
            guard let name = scanner.token() else { continue }
            guard scanner.skip("="), let value = scanner.token() ?? scanner.quoted() else {
                return nil
            }
            if parameters[name.lowercased()] == nil { parameters[name.lowercased()] = value }
            scanner.skipSpaces()
        }
        guard scanner.isAtEnd else { return nil }
        self.parameters = parameters
    }

    /// The type without parameters, such as `application/json`.
    public var description: String { "\(type)/\(subtype)" }
    /// The part after the last plus sign, such as `json` of `application/problem+json`.
    public var suffix: String? {
        subtype.utf8.lastIndex(of: UInt8(ascii: "+")).map {
            String(subtype[subtype.utf8.index(after: $0)...])
        }
    }
    /// Whether this is JSON, or written in JSON as `+json` says.
    public var isJSON: Bool { self.description == "application/json" || suffix == "json" }

    /// `application/json`.
    public static let json = MediaType(known: "application", "json")
    /// `text/plain`.
    public static let text = MediaType(known: "text", "plain")
    /// `application/octet-stream`.
    public static let octetStream = MediaType(known: "application", "octet-stream")
}

/// Reads the text of a media type from left to right.
private struct MediaTypeScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = Substring(text).utf8
        skipSpaces()
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skipSpaces() {
        rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }

    mutating func skip(_ sign: Unicode.Scalar) -> Bool {
        guard let first = rest.first, first == UInt8(ascii: sign) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func token() -> String? {
        let token = rest.prefix { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
        }
        guard !token.isEmpty else { return nil }
        rest = rest[token.endIndex...]
        return String(Substring(token))
    }

    mutating func quoted() -> String? {
        guard skip("\"") else { return nil }
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: bytes, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { return nil }
                bytes.append(escaped)
            default: bytes.append(byte)
            }
        }
        return nil
    }
}
#endif
