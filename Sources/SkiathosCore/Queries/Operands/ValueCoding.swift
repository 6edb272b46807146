public import SkiathosStore

/// How the values of an operand are stored, as a value.
@usableFromInline
struct ValueCoding<Value: Sendable>: Sendable {
    /// How values are stored.
    @usableFromInline let storage: StorageClass
    /// Whether what is stored has the order of the values.
    @usableFromInline let isOrdered: Bool
    /// Encodes a value as a column would store it.
    @usableFromInline let encode: @Sendable (Value) throws -> StoreValue
    /// Reads the value from a result at a position.
    @usableFromInline let decode: @Sendable (RowReader, Int) throws -> Value

    init(
        storage: StorageClass, isOrdered: Bool,
        encode: @escaping @Sendable (Value) throws -> StoreValue,
        decode: @escaping @Sendable (RowReader, Int) throws -> Value
    ) {
        self.storage = storage
        self.isOrdered = isOrdered
        self.encode = encode
        self.decode = decode
    }

    /// The coding of a column.
    @inlinable
    init<C: ColumnCoding>(_ coding: C.Type) where C.Value == Value {
        storage = C.storage
        isOrdered = C.isOrdered
        encode = { try StoreValue($0, C.self) }
        decode = { row, position in
            // Unlike a column, an expression may lack a value.
            guard C.isOptional || !row.isNull(at: position) else {
                throw StoreError.undecodable(Value.self, column: position)
            }
            return try C.read(row, position)
        }
    }

    /// The coding of the same values where the store computes them: one that does not fit was
    /// never stored.
    var computed: ValueCoding {
        ValueCoding(
            storage: storage, isOrdered: isOrdered, encode: encode,
            decode: { row, position in
                do {
                    return try decode(row, position)
                } catch let error as StoreError where error.code == .undecodableValue {
                    throw StoreError(
                        .invalidValue,
                        "A query computes a value that \(Value.self) cannot hold. Exclude such rows by the condition, or compute with another type."
                    )
                }
            })
    }

    /// The coding of the same values as optionals.
    var optional: ValueCoding<Value?> {
        ValueCoding<Value?>(
            storage: storage, isOrdered: isOrdered, encode: { try $0.map(encode) ?? .null },
            decode: { row, position in
                row.isNull(at: position) ? nil : try decode(row, position)
            })
    }
}

extension ValueCoding where Value: OptionalColumnValue, Value.Wrapped: Sendable {
    /// The coding of the wrapped values.
    var unwrapped: ValueCoding<Value.Wrapped> {
        ValueCoding<Value.Wrapped>(
            storage: storage, isOrdered: isOrdered, encode: { try encode(Value($0)) },
            decode: { row, position in
                guard let value = try decode(row, position).optionalValue else {
                    throw StoreError.undecodable(Value.Wrapped.self, column: position)
                }
                return value
            })
    }
}

/// Optionals, whose columns are compared with the values that they wrap.
public protocol OptionalColumnValue<Wrapped> {
    /// The type of the wrapped value.
    associatedtype Wrapped
    /// Wraps a value.
    init(_ some: Wrapped)
    /// The wrapped value, if there is one.
    var optionalValue: Wrapped? { get }
}

extension Optional: OptionalColumnValue {
    /// The optional itself.
    public var optionalValue: Wrapped? { self }
}
