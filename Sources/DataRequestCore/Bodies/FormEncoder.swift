#if RequestCore
import SkiathosPlatformFoundation

/// Writes a flat value as the items of a form.
///
/// Numbers and texts are written as they are, Booleans as `true` and `false`, dates in ISO 8601,
/// data in base 64; a list repeats its name, and nil leaves the item out.
enum FormEncoder {
    static func items(of value: some Encodable) throws -> [QueryItem] {
        let list = FormItems()
        try value.encode(to: FormValueEncoder(list: list, codingPath: []))
        return list.items
    }

    /// Collects the items; used by one call of `items(of:)` alone.
    final class FormItems {
        var items: [QueryItem] = []
    }

    static func notFlat(_ path: [any CodingKey]) -> EncodingError {
        EncodingError.invalidValue(
            (), .init(codingPath: path, debugDescription: "A form is flat."))
    }
}

/// Encodes a value at a path: nothing above it is the form, one name above it is an item.
struct FormValueEncoder: Encoder {
    let list: FormEncoder.FormItems
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(FormKeyedContainer<Key>(list: list, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        FormListContainer(list: list, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        FormItemContainer(list: list, codingPath: codingPath)
    }

    /// Writes one value under the last name of the path.
    func write(_ value: some Encodable) throws {
        switch value {
        case let date as Date: try add(date.formatted(.iso8601))
        case let url as URL: try add(url.absoluteString)
        case let data as Data: try add(data.base64EncodedString())
        case let number as Decimal: try add(number.description)
        default: try value.encode(to: self)
        }
    }

    func add(_ text: String) throws {
        guard let name = codingPath.last(where: { $0.intValue == nil }) else {
            throw FormEncoder.notFlat(codingPath)
        }
        list.items.append(QueryItem(name.stringValue, text))
    }
}

private struct FormKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let list: FormEncoder.FormItems
    let codingPath: [any CodingKey]

    mutating func encodeNil(forKey key: Key) {}

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        guard codingPath.isEmpty else { throw FormEncoder.notFlat(codingPath) }
        try FormValueEncoder(list: list, codingPath: codingPath + [key]).write(value)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        KeyedEncodingContainer(
            FormKeyedContainer<Nested>(list: list, codingPath: codingPath + [key]))
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        FormListContainer(list: list, codingPath: codingPath + [key])
    }

    mutating func superEncoder() -> any Encoder {
        FormValueEncoder(list: list, codingPath: codingPath)
    }

    mutating func superEncoder(forKey key: Key) -> any Encoder {
        FormValueEncoder(list: list, codingPath: codingPath + [key])
    }
}

private struct FormListContainer: UnkeyedEncodingContainer {
    let list: FormEncoder.FormItems
    let codingPath: [any CodingKey]
    var count = 0

    mutating func encodeNil() throws {}

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        let isNested = codingPath.contains { $0.intValue != nil }
        guard !codingPath.isEmpty, !isNested else { throw FormEncoder.notFlat(codingPath) }
        try FormValueEncoder(list: list, codingPath: codingPath + [FormIndex(count)]).write(value)
        count += 1
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
        KeyedEncodingContainer(
            FormKeyedContainer<Nested>(list: list, codingPath: codingPath + [FormIndex(count)]))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        FormListContainer(list: list, codingPath: codingPath + [FormIndex(count)])
    }

    mutating func superEncoder() -> any Encoder {
        FormValueEncoder(list: list, codingPath: codingPath)
    }
}

private struct FormItemContainer: SingleValueEncodingContainer {
    let list: FormEncoder.FormItems
    let codingPath: [any CodingKey]
    private var item: FormValueEncoder { FormValueEncoder(list: list, codingPath: codingPath) }

    init(list: FormEncoder.FormItems, codingPath: [any CodingKey]) {
        self.list = list
        self.codingPath = codingPath
    }

    mutating func encodeNil() throws {}
    mutating func encode(_ value: Bool) throws { try item.add("\(value)") }
    mutating func encode(_ value: String) throws { try item.add(value) }
    mutating func encode(_ value: Double) throws { try item.add("\(value)") }
    mutating func encode(_ value: Float) throws { try item.add("\(value)") }
    mutating func encode(_ value: Int) throws { try item.add("\(value)") }
    mutating func encode(_ value: Int8) throws { try item.add("\(value)") }
    mutating func encode(_ value: Int16) throws { try item.add("\(value)") }
    mutating func encode(_ value: Int32) throws { try item.add("\(value)") }
    mutating func encode(_ value: Int64) throws { try item.add("\(value)") }
    mutating func encode(_ value: UInt) throws { try item.add("\(value)") }
    mutating func encode(_ value: UInt8) throws { try item.add("\(value)") }
    mutating func encode(_ value: UInt16) throws { try item.add("\(value)") }
    mutating func encode(_ value: UInt32) throws { try item.add("\(value)") }
    mutating func encode(_ value: UInt64) throws { try item.add("\(value)") }
    mutating func encode<Value: Encodable>(_ value: Value) throws { try item.write(value) }
}

/// The place of an element in a list.
struct FormIndex: CodingKey {
    let intValue: Int?
    var stringValue: String { "\(intValue ?? 0)" }

    init(_ index: Int) { intValue = index }
    init?(intValue: Int) { self.init(intValue) }
    init?(stringValue: String) { nil }
}
#endif
