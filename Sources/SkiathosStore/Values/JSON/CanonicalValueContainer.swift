/// Encodes the one value of an encoder.
struct CanonicalValueContainer: SingleValueEncodingContainer {
    let encoder: CanonicalJSONEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil() { encoder.set(.null) }
    mutating func encode(_ value: Bool) { encoder.set(.bool(value)) }
    mutating func encode(_ value: String) { encoder.set(.text(value)) }
    mutating func encode(_ value: Double) throws {
        try encoder.set(encoder.json(of: value))
    }
    mutating func encode(_ value: Float) throws {
        try encoder.set(encoder.json(of: value))
    }
    mutating func encode(_ value: Int8) {
        encoder.set(.integer(Int64(value)))
    }
    mutating func encode(_ value: Int16) {
        encoder.set(.integer(Int64(value)))
    }
    mutating func encode(_ value: Int32) {
        encoder.set(.integer(Int64(value)))
    }
    mutating func encode(_ value: Int64) {
        encoder.set(.integer(Int64(value)))
    }
    mutating func encode(_ value: Int) {
        encoder.set(.integer(Int64(value)))
    }
    mutating func encode(_ value: UInt8) {
        encoder.set(.integer(Int64(value)))
    }
    mutating func encode(_ value: UInt16) {
        encoder.set(.integer(Int64(value)))
    }
    mutating func encode(_ value: UInt32) {
        encoder.set(.integer(Int64(value)))
    }
    mutating func encode(_ value: UInt) {
        encoder.set(.number(value.description))
    }
    mutating func encode(_ value: UInt64) {
        encoder.set(.number(value.description))
    }
    mutating func encode(_ value: Int128) {
        encoder.set(.number(value.description))
    }
    mutating func encode(_ value: UInt128) {
        encoder.set(.number(value.description))
    }

    mutating func encode<T: Encodable>(_ value: T) throws {
        try encoder.set(encoder.json(of: value, at: nil))
    }
}
