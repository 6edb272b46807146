#if RequestCore
import SkiathosPlatformFoundation

/// Reads a flat value from the items of a form; the counterpart of `FormEncoder`.
///
/// The top level has all items. Below a name are the items with that name, whose values make a
/// list.
struct FormDecoder: Decoder {
    let items: [QueryItem]
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard codingPath.isEmpty else { throw broken("A form is flat.") }
        return KeyedDecodingContainer(FormKeys<Key>(items: items))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard codingPath.count == 1 else { throw broken("A form is flat.") }
        return FormList(items: items, codingPath: codingPath)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        FormValue(decoder: self)
    }

    func broken(_ reason: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: reason))
    }

    func text() throws -> String {
        guard !codingPath.isEmpty, let text = items.first?.value else {
            throw broken("There is no value.")
        }
        return text
    }

    func scalar<Value: LosslessStringConvertible>(_ type: Value.Type) throws -> Value {
        guard let value = Value(try text()) else { throw broken("It is not of type \(type).") }
        return value
    }

    func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let special: Any?
        switch type {
        case is Date.Type: special = try? Date(text(), strategy: .iso8601)
        case is URL.Type: special = URL(string: try text())
        case is Data.Type: special = Data(base64Encoded: try text())
        case is Decimal.Type: special = Decimal(string: try text())
        default: return try Value(from: self)
        }
        guard let value = special as? Value else { throw broken("It is not of type \(type).") }
        return value
    }
}

private struct FormKeys<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let items: [QueryItem]
    var codingPath: [any CodingKey] { [] }

    var allKeys: [Key] {
        var seen: Set<String> = []
        return items.compactMap { seen.insert($0.name).inserted ? Key(stringValue: $0.name) : nil }
    }

    func contains(_ key: Key) -> Bool { items.contains { $0.name == key.stringValue } }
    func decodeNil(forKey key: Key) -> Bool { !contains(key) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder(for: key).value(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder(for: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(for: key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { FormDecoder(items: items, codingPath: []) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(for: key) }

    private func decoder(for key: Key) throws -> FormDecoder {
        let named = items.filter { $0.name == key.stringValue }
        guard !named.isEmpty else {
            throw DecodingError.keyNotFound(
                key, .init(codingPath: [], debugDescription: "The form has no such item."))
        }
        return FormDecoder(items: named, codingPath: [key])
    }
}

private struct FormList: UnkeyedDecodingContainer {
    let items: [QueryItem]
    let codingPath: [any CodingKey]
    var currentIndex = 0

    init(items: [QueryItem], codingPath: [any CodingKey]) {
        self.items = items
        self.codingPath = codingPath
    }

    var count: Int? { items.count }
    var isAtEnd: Bool { currentIndex >= items.count }

    mutating func decodeNil() -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try next().value(type)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { try next() }

    private mutating func next() throws -> FormDecoder {
        let path = codingPath + [FormIndex(currentIndex)]
        guard !isAtEnd else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: path, debugDescription: "The list has ended."))
        }
        defer { currentIndex += 1 }
        return FormDecoder(items: [items[currentIndex]], codingPath: path)
    }
}

private struct FormValue: SingleValueDecodingContainer {
    let decoder: FormDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.items.isEmpty }
    func decode(_ type: Bool.Type) throws -> Bool { try decoder.scalar(type) }
    func decode(_ type: String.Type) throws -> String { try decoder.text() }
    func decode(_ type: Double.Type) throws -> Double { try decoder.scalar(type) }
    func decode(_ type: Float.Type) throws -> Float { try decoder.scalar(type) }
    func decode(_ type: Int.Type) throws -> Int { try decoder.scalar(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try decoder.scalar(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try decoder.scalar(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try decoder.scalar(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try decoder.scalar(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try decoder.scalar(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try decoder.scalar(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try decoder.scalar(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try decoder.scalar(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try decoder.scalar(type) }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.value(type) }
}
#endif
