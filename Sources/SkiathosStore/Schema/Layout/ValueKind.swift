/// The kind of the values that a column holds, without the name of a Swift type.
///
/// A store keeps it, to find out when a property gets another type that is stored in the same way:
///
/// ```
/// var level: Int8                      {"kind": "integer", "range": [-128, 127]}
/// enum Mood: String, CaseIterable      {"kind": "text", "values": ["calm", "busy"]}
/// @Embedded struct Address             {"kind": "json", "fields": [{"name": "city", "kind": "text"}]}
/// ```
package struct ValueKind: Codable, Hashable, Sendable {
    /// The form of the values.
    package enum Form: String, Codable, Sendable {
        case bool, integer, real, text, data, date, decimal, uuid, url, json
        /// The values of a type that says itself how they are stored, by storage class.
        case ownInteger, ownReal, ownText, ownData, ownDecimal
    }

    /// A field of an embedded value.
    package struct Field: Codable, Hashable, Sendable {
        package var name: String
        package var kind: Form
        package var optional: Bool?
        package var fields: [Field]?
    }

    /// The form of the values.
    package var kind: Form
    /// The smallest and the largest integer.
    package var range: [Int64]?
    /// Whether the values are raw values of a type that may not know all of them.
    package var raw: Bool?
    /// The raw values of an enumeration that lists its cases, in an order of their own.
    package var values: [LayoutValue]?
    /// The fields of an embedded value, in the order of their names.
    package var fields: [Field]?

    package init(_ kind: Form) { self.kind = kind }

    /// Whether each value of another kind is one of this kind, as far as both are known.
    package func accepts(_ other: ValueKind) -> Bool {
        guard kind == other.kind || kind == .integer && other.kind == .bool,
            fields == other.fields
        else { return false }
        if let values { return other.values.map(Set.init)?.isSubset(of: values) ?? false }
        if raw == true { return other.raw == true && other.values == nil }
        guard let range, range.count == 2, let inner = other.bounds else { return true }
        return range[0] <= inner[0] && range[1] >= inner[1]
    }

    private var bounds: [Int64]? { kind == .bool ? [0, 1] : range?.count == 2 ? range : nil }
}

extension ValueKind: CustomStringConvertible {
    /// The kind in words, as in "integer from -128 to 127".
    package var description: String {
        if let values {
            let shown = values.prefix(5).map(\.description).joined(separator: ", ")
            return "\(kind.rawValue), one of \(shown)\(values.count > 5 ? ", …" : "")"
        }
        if raw == true { return "\(kind.rawValue), the raw value of a type" }
        if let range, range != [.min, .max], range.count == 2 {
            return "\(kind.rawValue) from \(range[0]) to \(range[1])"
        }
        if let fields {
            return
                "\(kind.rawValue) with \(fields.map { "\"\($0.name)\"" }.joined(separator: ", "))"
        }
        return kind.rawValue
    }
}

/// A value in the description of a schema: a default, or the raw value of a case.
package enum LayoutValue: Codable, Hashable, Sendable, CustomStringConvertible {
    case integer(Int64)
    case real(Double)
    case text(String)

    /// A stored value; `nil` for no value, and for bytes.
    package init?(_ value: StoreValue) {
        switch value {
        case .integer(let number): self = .integer(number)
        case .real(let number) where number.isFinite: self = .real(number)
        case .text(let text): self = .text(text)
        case .real, .blob, .null: return nil
        }
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? container.decode(Double.self) {
            self = .real(number)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .integer(let number): try container.encode(number)
        case .real(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        }
    }

    package var description: String {
        switch self {
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): "\"\(text)\""
        }
    }
}
