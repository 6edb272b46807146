import SkiathosPlatformFoundation

/// Encodes values as `JSONEncoder` does with its standard settings, but what has no order in Swift
/// in an order of its own.
///
/// Foundation's encoder cannot do that: a `Set` hands it its elements one after the other, in an
/// order that differs from process to process and with the capacity, and an encoder sees no more
/// than an array. This one sees the `Set` before it is asked to encode itself.
///
/// One encoder holds one value, array or object. Not `Sendable`: made and used by one call.
final class CanonicalJSONEncoder: Encoder {
    private enum Content {
        /// Nothing was encoded. Exits: any other.
        case nothing
        case value(CanonicalJSON)
        case array
        case object
    }

    // Used by the one call that has made the encoder, as all fields.
    private var content = Content.nothing
    private var elements: [CanonicalJSON] = []
    private var members: [CanonicalJSON.Member] = []
    private let parent: CanonicalJSONEncoder?
    private let key: (any CodingKey)?
    /// The number of encoders around this one.
    private let depth: Int

    /// How deep encoders may be nested, so that they do not overflow the stack of a thread.
    ///
    /// An array or object takes one, and an optional or a raw value around it another.
    private static let maximumDepth = 2 * CanonicalJSON.maximumDepth

    init(parent: CanonicalJSONEncoder? = nil, key: (any CodingKey)? = nil) {
        self.parent = parent
        self.key = key
        depth = parent.map { $0.depth + 1 } ?? 0
    }

    /// A value as JSON that is not written yet.
    ///
    /// - Throws: What the value throws, `EncodingError` for a number that is not finite and a value
    ///   that encodes nothing, and `TooDeep` for what would outgrow the stack.
    static func json<T: Encodable>(of value: T) throws -> CanonicalJSON {
        try CanonicalJSONEncoder().json(of: value, at: nil, isRoot: true)
    }

    /// The encoded value; an empty object for nothing, as with `JSONEncoder`.
    var result: CanonicalJSON {
        switch content {
        case .nothing: .object([])
        case .value(let value): value
        case .array: .array(elements)
        case .object: .object(members)
        }
    }

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    var codingPath: [any CodingKey] {
        (parent?.codingPath ?? []) + (key.map { [$0] } ?? [])
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        becomeObject()
        return KeyedEncodingContainer(CanonicalKeyedContainer(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        becomeArray()
        return CanonicalUnkeyedContainer(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        CanonicalValueContainer(encoder: self)
    }

    private func becomeObject() {
        switch content {
        case .nothing: content = .object
        case .object: break
        case .array, .value: Self.mixed()
        }
    }

    private func becomeArray() {
        switch content {
        case .nothing: content = .array
        case .array: break
        case .object, .value: Self.mixed()
        }
    }

    private static func mixed() -> Never {
        preconditionFailure(
            "A type's encode(to:) has asked for containers of two kinds, or encoded two values in one place. Encode one value, one array or one object."
        )
    }

    // MARK: Adding

    var count: Int { elements.count }

    func set(_ value: CanonicalJSON) {
        guard case .nothing = content else { Self.mixed() }
        content = .value(value)
    }

    func append(_ value: CanonicalJSON) { elements.append(value) }

    func append(_ value: CanonicalJSON, _ key: any CodingKey) {
        members.append(CanonicalJSON.Member(key: key.stringValue, value: value))
    }

    // MARK: Values

    /// A value that is not the encoder's own yet.
    func json<T: Encodable>(
        of value: T, at key: (any CodingKey)?, isRoot: Bool = false
    ) throws -> CanonicalJSON {
        // The comparison of types is a few instructions, the cast after it is made once.
        if T.self == String.self, let text = value as? String { return .text(text) }
        if T.self == Int.self, let number = value as? Int { return .integer(Int64(number)) }
        if T.self == Double.self, let number = value as? Double { return try json(of: number) }
        if T.self == Data.self, let data = value as? Data {
            return .text(data.base64EncodedString())
        }
        if T.self == URL.self, let url = value as? URL { return .text(url.absoluteString) }
        if T.self == Decimal.self, let number = value as? Decimal {
            guard !number.isNaN else { throw notFinite(number) }
            return .number(number.description)
        }
        if T.self is any UnorderedCodable.Type, let unordered = value as? any UnorderedCodable,
            let json = try unordered.canonicalJSON(in: self, at: key)
        {
            return json
        }
        guard depth < Self.maximumDepth else { throw CanonicalJSON.TooDeep() }
        let encoder = CanonicalJSONEncoder(parent: self, key: key)
        try value.encode(to: encoder)
        if isRoot, case .nothing = encoder.content {
            throw EncodingError.invalidValue(
                value, .init(codingPath: [], debugDescription: "The value encodes nothing."))
        }
        return encoder.result
    }

    func json(of number: Double) throws -> CanonicalJSON {
        guard number.isFinite else { throw notFinite(number) }
        return .number(Self.digits(number.description))
    }

    func json(of number: Float) throws -> CanonicalJSON {
        guard number.isFinite else { throw notFinite(number) }
        return .number(Self.digits(number.description))
    }

    private static func digits(_ text: String) -> String {
        text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private func notFinite(_ value: Any) -> EncodingError {
        .invalidValue(
            value, .init(codingPath: codingPath, debugDescription: "The number is not finite."))
    }
}

/// A collection that encodes its elements in an arbitrary order.
private protocol UnorderedCodable {
    /// The elements, or `nil` if they are the members of an object and thus sorted anyway.
    func canonicalJSON(
        in encoder: CanonicalJSONEncoder, at key: (any CodingKey)?
    ) throws -> CanonicalJSON?
}

extension Set: UnorderedCodable where Element: Encodable {
    fileprivate func canonicalJSON(
        in encoder: CanonicalJSONEncoder, at key: (any CodingKey)?
    ) throws -> CanonicalJSON? {
        let inner = CanonicalJSONEncoder(parent: encoder, key: key)
        return .unordered(
            try enumerated().map { try inner.json(of: $1, at: CanonicalIndex($0)) }, groupSize: 1)
    }
}

extension Dictionary: UnorderedCodable where Key: Encodable, Value: Encodable {
    /// By the rule of the standard library: what can be a key of an object is one, and all other
    /// keys stand before their values in an array.
    fileprivate func canonicalJSON(
        in encoder: CanonicalJSONEncoder, at key: (any CodingKey)?
    ) throws -> CanonicalJSON? {
        if Key.self is any CodingKeyRepresentable.Type { return nil }
        let inner = CanonicalJSONEncoder(parent: encoder, key: key)
        var values: [CanonicalJSON] = []
        values.reserveCapacity(count * 2)
        for (key, value) in self {
            values.append(try inner.json(of: key, at: CanonicalIndex(values.count)))
            values.append(try inner.json(of: value, at: CanonicalIndex(values.count)))
        }
        return .unordered(values, groupSize: 2)
    }
}

/// The place of an element.
struct CanonicalIndex: CodingKey {
    let index: Int

    init(_ index: Int) { self.index = index }
    init?(stringValue: String) { return nil }
    init?(intValue: Int) { index = intValue }

    var stringValue: String { "Index \(index)" }
    var intValue: Int? { index }
}

/// The key of what a class encodes of its superclass.
struct CanonicalSuperKey: CodingKey {
    init() {}
    init?(stringValue: String) { return nil }
    init?(intValue: Int) { return nil }

    var stringValue: String { "super" }
    var intValue: Int? { nil }
}
