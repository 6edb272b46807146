/// Encodes into the object of an encoder.
struct CanonicalKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: CanonicalJSONEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil(forKey key: Key) { encoder.append(.null, key) }
    mutating func encode(_ value: Bool, forKey key: Key) { encoder.append(.bool(value), key) }
    mutating func encode(_ value: String, forKey key: Key) { encoder.append(.text(value), key) }
    mutating func encode(_ value: Double, forKey key: Key) throws {
        try encoder.append(encoder.json(of: value), key)
    }
    mutating func encode(_ value: Float, forKey key: Key) throws {
        try encoder.append(encoder.json(of: value), key)
    }
    mutating func encode(_ value: Int8, forKey key: Key) {
        encoder.append(.integer(Int64(value)), key)
    }
    mutating func encode(_ value: Int16, forKey key: Key) {
        encoder.append(.integer(Int64(value)), key)
    }
    mutating func encode(_ value: Int32, forKey key: Key) {
        encoder.append(.integer(Int64(value)), key)
    }
    mutating func encode(_ value: Int64, forKey key: Key) {
        encoder.append(.integer(Int64(value)), key)
    }
    mutating func encode(_ value: Int, forKey key: Key) {
        encoder.append(.integer(Int64(value)), key)
    }
    mutating func encode(_ value: UInt8, forKey key: Key) {
        encoder.append(.integer(Int64(value)), key)
    }
    mutating func encode(_ value: UInt16, forKey key: Key) {
        encoder.append(.integer(Int64(value)), key)
    }
    mutating func encode(_ value: UInt32, forKey key: Key) {
        encoder.append(.integer(Int64(value)), key)
    }
    mutating func encode(_ value: UInt, forKey key: Key) {
        encoder.append(.number(value.description), key)
    }
    mutating func encode(_ value: UInt64, forKey key: Key) {
        encoder.append(.number(value.description), key)
    }
    mutating func encode(_ value: Int128, forKey key: Key) {
        encoder.append(.number(value.description), key)
    }
    mutating func encode(_ value: UInt128, forKey key: Key) {
        encoder.append(.number(value.description), key)
    }

    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        try encoder.append(encoder.json(of: value, at: key), key)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        inner(key).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        inner(key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { inner(CanonicalSuperKey()) }
    mutating func superEncoder(forKey key: Key) -> any Encoder { inner(key) }

    private func inner(_ key: any CodingKey) -> CanonicalJSONEncoder {
        let inner = CanonicalJSONEncoder(parent: encoder, key: key)
        encoder.append(.open(inner), key)
        return inner
    }
}
