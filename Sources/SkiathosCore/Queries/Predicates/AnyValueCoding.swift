import SkiathosStore

/// How the values of an operand are stored whose type is known at run time alone.
struct AnyValueCoding {
    /// The type of the values, without the optional around it.
    let type: Any.Type
    /// How values are stored.
    let storage: StorageClass
    /// Whether what is stored has the order of the values.
    let isOrdered: Bool
    /// Encodes a value as a column would store it; `nil` if it is of another type.
    let encode: (Any) throws -> StoreValue?

    /// Erases the type of a coding.
    init<Value>(_ coding: ValueCoding<Value>) {
        type = unwrapped(Value.self)
        storage = coding.storage
        isOrdered = coding.isOrdered
        encode = { value in
            // A cast wraps a value in an optional, and unwraps it, as needed.
            try (value as? Value).map(coding.encode)
        }
    }

    /// The coding that a type has by itself, for values that are compared with no column.
    init?(of type: Any.Type) {
        switch unwrapped(type) {
        case let type as any ColumnValue.Type: self = Self.native(type)
        case let type as any RawRepresentable.Type:
            guard let coding = Self.raw(type) else { return nil }
            self = coding
        default: return nil
        }
    }

    private init(
        type: Any.Type, storage: StorageClass, isOrdered: Bool,
        encode: @escaping (Any) throws -> StoreValue?
    ) {
        self.type = type
        self.storage = storage
        self.isOrdered = isOrdered
        self.encode = encode
    }

    private static func native<Value: ColumnValue>(_ type: Value.Type) -> AnyValueCoding {
        AnyValueCoding(ValueCoding(Coding.of(Value?.self)))
    }

    private static func raw<Value: RawRepresentable>(_ type: Value.Type) -> AnyValueCoding? {
        guard let raw = Value.RawValue.self as? any ColumnValue.Type else { return nil }
        let coding = native(raw)
        return AnyValueCoding(type: type, storage: coding.storage, isOrdered: true) { value in
            guard let value = value as? Value? else { return nil }
            return try value.map { try coding.encode($0.rawValue) } ?? .null
        }
    }

    /// Integers, for the lengths of texts.
    static var integer: AnyValueCoding { AnyValueCoding(ValueCoding(Coding.of(Int?.self))) }
    /// Texts.
    static var text: AnyValueCoding { AnyValueCoding(ValueCoding(Coding.of(String?.self))) }
    /// Outcomes of conditions.
    static var bool: AnyValueCoding { AnyValueCoding(ValueCoding(Coding.of(Bool?.self))) }
}

/// A type without the optionals around it.
private func unwrapped(_ type: Any.Type) -> Any.Type {
    guard let optional = type as? any OptionalColumnValue.Type else { return type }
    func wrapped<O: OptionalColumnValue>(_ type: O.Type) -> Any.Type { O.Wrapped.self }
    return unwrapped(wrapped(optional))
}

/// The value inside of optionals, or `nil` if there is none.
func unwrapped(_ value: Any) -> Any? {
    guard let optional = value as? any OptionalColumnValue else { return value }
    func wrapped(_ optional: some OptionalColumnValue) -> Any? {
        optional.optionalValue.flatMap { unwrapped($0 as Any) }
    }
    return wrapped(optional)
}
