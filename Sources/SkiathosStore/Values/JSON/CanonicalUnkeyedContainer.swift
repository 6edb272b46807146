/// Encodes into the array of an encoder.
struct CanonicalUnkeyedContainer: UnkeyedEncodingContainer {
    let encoder: CanonicalJSONEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.count }

    mutating func encodeNil() { encoder.append(.null) }
    mutating func encode(_ value: Bool) { encoder.append(.bool(value)) }
    mutating func encode(_ value: String) { encoder.append(.text(value)) }
    mutating func encode(_ value: Double) throws {
        try encoder.append(encoder.json(of: value))
    }
    mutating func encode(_ value: Float) throws {
        try encoder.append(encoder.json(of: value))
    }
    mutating func encode(_ value: Int8) {
        encoder.append(.integer(Int64(value)))
    }
    mutating func encode(_ value: Int16) {
        encoder.append(.integer(Int64(value)))
    }
    mutating func encode(_ value: Int32) {
        encoder.append(.integer(Int64(value)))
    }
    mutating func encode(_ value: Int64) {
        encoder.append(.integer(Int64(value)))
    }
    mutating func encode(_ value: Int) {
        encoder.append(.integer(Int64(value)))
    }
    mutating func encode(_ value: UInt8) {
        encoder.append(.integer(Int64(value)))
    }
    mutating func encode(_ value: UInt16) {
        encoder.append(.integer(Int64(value)))
    }
    mutating func encode(_ value: UInt32) {
        encoder.append(.integer(Int64(value)))
    }
    mutating func encode(_ value: UInt) {
        encoder.append(.number(value.description))
    }
    mutating func encode(_ value: UInt64) {
        encoder.append(.number(value.description))
    }
    mutating func encode(_ value: Int128) {
        encoder.append(.number(value.description))
    }
    mutating func encode(_ value: UInt128) {
        encoder.append(.number(value.description))
    }

    mutating func encode<T: Encodable>(_ value: T) throws {
        try encoder.append(encoder.json(of: value, at: CanonicalIndex(count)))
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
        inner().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        inner().unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { inner() }

    private func inner() -> CanonicalJSONEncoder {
        let inner = CanonicalJSONEncoder(parent: encoder, key: CanonicalIndex(count))
        encoder.append(.open(inner))
        return inner
    }
}
