/// One field of an ``Embedded`` value: a property, and its key in the JSON.
///
/// ```swift
/// EmbeddedField(\Address.city, CodingKeys.city)
/// ```
///
/// The key is the one that the type encodes the property with, as a rule a case of its `CodingKeys`.
public struct EmbeddedField<Base: Codable & Sendable>: Sendable {
    /// The property.
    package let keyPath: any PartialKeyPath<Base> & Sendable
    /// The key in the JSON.
    package let name: String
    /// How the field stands in the JSON.
    package let form: StoreFieldForm
    /// How queries take its values.
    package let coding: any ColumnCoding.Type
    /// The type of the field, if it has fields of its own.
    package let embedded: (any Embedded.Type)?
    /// Whether what stands under the key is what the property of a value holds.
    let isKept: @Sendable (_ value: Base, _ json: CanonicalJSON?) throws -> Bool

    /// A number, text, truth value or date.
    public init<V: EmbeddedFieldValue>(
        _ keyPath: any KeyPath<Base, V> & Sendable, _ key: some CodingKey
    ) {
        self.init(plain: keyPath, key, NativeCoding<V>.self)
    }

    /// A value that is encoded as its raw value.
    public init<V: RawRepresentable & Codable & Sendable>(
        _ keyPath: any KeyPath<Base, V> & Sendable, _ key: some CodingKey
    ) where V.RawValue: EmbeddedFieldValue {
        self.init(plain: keyPath, key, RawCoding<V>.self)
    }

    /// A value that is encoded as its raw value, if there is one.
    public init<V: RawRepresentable & Codable & Sendable>(
        _ keyPath: any KeyPath<Base, V?> & Sendable, _ key: some CodingKey
    ) where V.RawValue: EmbeddedFieldValue {
        self.init(plain: keyPath, key, OptionalCoding<RawCoding<V>>.self)
    }

    /// A value of any other type, which is compared by its JSON.
    @_disfavoredOverload
    public init<V: Codable & Sendable>(
        _ keyPath: any KeyPath<Base, V> & Sendable, _ key: some CodingKey
    ) {
        self.init(keyPath, key, .json, JSONCoding<V>.self, V.self as? any Embedded.Type) {
            try $1?.hasSameBytes(as: JSONCoding<V>.bytes(of: $0[keyPath: keyPath])) ?? false
        }
    }

    /// A value of any other type, if there is one.
    @_disfavoredOverload
    public init<V: Codable & Sendable>(
        _ keyPath: any KeyPath<Base, V?> & Sendable, _ key: some CodingKey
    ) {
        self.init(
            keyPath, key, .json, OptionalCoding<JSONCoding<V>>.self, V.self as? any Embedded.Type
        ) { value, json in
            guard let part = value[keyPath: keyPath] else { return json.holds(.null) }
            return try json?.hasSameBytes(as: JSONCoding<V>.bytes(of: part)) ?? false
        }
    }

    private init<C: ColumnCoding>(
        plain keyPath: any KeyPath<Base, C.Value> & Sendable, _ key: some CodingKey,
        _ coding: C.Type
    ) {
        let form: StoreFieldForm =
            switch C.storage {
            case .integer: .integer
            case .real: .real
            case .text, .blob, .decimal: .text
            }
        // Taking the value as a column does refuses what JSON holds and conditions cannot, such as NUL.
        self.init(keyPath, key, form, coding, nil) {
            $1.holds(try StoreValue($0[keyPath: keyPath], C.self))
        }
    }

    private init(
        _ keyPath: any PartialKeyPath<Base> & Sendable, _ key: some CodingKey,
        _ form: StoreFieldForm, _ coding: any ColumnCoding.Type, _ embedded: (any Embedded.Type)?,
        _ isKept: @escaping @Sendable (Base, CanonicalJSON?) throws -> Bool
    ) {
        self.keyPath = keyPath
        name = key.stringValue
        self.form = form
        self.coding = coding
        self.embedded = embedded
        self.isKept = isKept
    }
}
