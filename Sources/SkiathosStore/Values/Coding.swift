/// How the values of one type are kept in a column.
///
/// A coding is a type without values, so that calls through it cost nothing. ``Coding`` finds the
/// right one for a type.
public protocol ColumnCoding: Sendable {
    /// The type of the property.
    associatedtype Value: Sendable
    /// How values are kept.
    static var storage: StorageClass { get }
    /// Whether a value may be absent.
    static var isOptional: Bool { get }
    /// The entity that values refer to, if any.
    static var referencedType: Any.Type? { get }
    /// Which values of the storage class a column can hold; ``ColumnDomain/readable`` by default.
    static var domain: ColumnDomain { get }
    /// Whether what is stored has the order of the values; `true` by default.
    ///
    /// Queries refuse to sort by others, to compare them by order, and to ask for the smallest.
    static var isOrdered: Bool { get }
    /// Reads a value from the column at a position.
    static func read(_ row: RowReader, _ column: Int) throws -> Value
    /// Binds a value to the parameter at a position.
    static func bind(_ value: Value, _ parameters: ParameterWriter, _ position: Int) throws
    /// Whether storing one value or the other makes no difference.
    static func areIdentical(_ left: Value, _ right: Value) -> Bool
}

extension ColumnCoding {
    /// `.readable`.
    @inlinable public static var domain: ColumnDomain { .readable }
    /// `true`.
    @inlinable public static var isOrdered: Bool { true }
}

/// Finds how a type is stored: as a ``ColumnValue``, by its raw value, or as JSON.
///
/// ```swift
/// Coding.of(Int?.self)        // an optional integer
/// Coding.of(Status.self)      // enum Status: String       → the raw value, as text
/// Coding.of([Address].self)   // struct Address: Codable   → JSON, as text
/// ```
///
/// The choice is made when the code is compiled. A type that is none of these does not compile.
public enum Coding {
    /// A type that says itself how it is stored.
    @inlinable public static func of<V: ColumnValue>(_ type: V.Type) -> NativeCoding<V>.Type {
        NativeCoding<V>.self
    }
    /// A type with a raw value that says itself how it is stored.
    @inlinable public static func of<V: ColumnValue & RawRepresentable>(
        _ type: V.Type
    ) -> NativeCoding<V>.Type where V.RawValue: ColumnValue {
        NativeCoding<V>.self
    }
    /// An optional of a type with a raw value that says itself how it is stored.
    @inlinable public static func of<V: ColumnValue & RawRepresentable>(
        _ type: V?.Type
    ) -> NativeCoding<V?>.Type where V.RawValue: ColumnValue {
        NativeCoding<V?>.self
    }
    /// A type that is stored as its raw value.
    @inlinable public static func of<V: RawRepresentable & Sendable>(
        _ type: V.Type
    ) -> RawCoding<V>.Type where V.RawValue: ColumnValue {
        RawCoding<V>.self
    }
    /// An optional of a type that is stored as its raw value.
    @inlinable public static func of<V: RawRepresentable & Sendable>(
        _ type: V?.Type
    ) -> OptionalCoding<RawCoding<V>>.Type where V.RawValue: ColumnValue {
        OptionalCoding<RawCoding<V>>.self
    }
    /// A type that is stored as JSON.
    @_disfavoredOverload
    @inlinable public static func of<V: Codable & Sendable>(_ type: V.Type) -> JSONCoding<V>.Type {
        JSONCoding<V>.self
    }
    /// An optional of a type that is stored as JSON.
    @_disfavoredOverload
    @inlinable public static func of<V: Codable & Sendable>(
        _ type: V?.Type
    ) -> OptionalCoding<JSONCoding<V>>.Type {
        OptionalCoding<JSONCoding<V>>.self
    }
    /// Any other type, for the sake of the message: without this overload the compiler would list
    /// what all the others ask for.
    @available(
        *, unavailable,
        message:
            "this type cannot be stored in a column: make it Codable, give it a raw value, conform it to ColumnValue, or mark the property @Transient."
    )
    @_disfavoredOverload
    public static func of<V: Sendable>(_ type: V.Type) -> UnsupportedCoding<V>.Type {
        UnsupportedCoding<V>.self
    }
}

/// Stores a ``ColumnValue``.
public enum NativeCoding<Value: ColumnValue>: ColumnCoding {
    /// The storage class of the type.
    @inlinable public static var storage: StorageClass { Value.storage }
    /// Whether the type may be `nil`.
    @inlinable public static var isOptional: Bool { Value.isOptional }
    /// The entity that the type refers to, if any.
    @inlinable public static var referencedType: Any.Type? { Value.referencedType }
    /// The domain of the type.
    @inlinable public static var domain: ColumnDomain { Value.domain }
    /// Reads through the type.
    @inlinable @inline(__always)
    public static func read(_ row: RowReader, _ column: Int) throws -> Value {
        try Value(row: row, column: column)
    }
    /// Binds through the type.
    @inlinable @inline(__always)
    public static func bind(_ value: Value, _ parameters: ParameterWriter, _ position: Int) throws {
        try value.bind(to: parameters, at: position)
    }
    /// Compares through the type.
    @inlinable @inline(__always)
    public static func areIdentical(_ left: Value, _ right: Value) -> Bool {
        left.isIdentical(to: right)
    }
}

/// Stores the raw value of a type.
public enum RawCoding<Value: RawRepresentable & Sendable>: ColumnCoding
where Value.RawValue: ColumnValue {
    /// The storage class of the raw value.
    @inlinable public static var storage: StorageClass { Value.RawValue.storage }
    /// `false`.
    @inlinable public static var isOptional: Bool { false }
    /// `nil`.
    @inlinable public static var referencedType: Any.Type? { nil }
    /// Reads a raw value that the type knows.
    @inlinable public static func read(_ row: RowReader, _ column: Int) throws -> Value {
        let rawValue = try Value.RawValue(row: row, column: column)
        guard let value = Value(rawValue: rawValue) else {
            throw StoreError.undecodable(Value.self, column: column)
        }
        return value
    }
    /// Binds the raw value.
    @inlinable public static func bind(
        _ value: Value, _ parameters: ParameterWriter, _ position: Int
    ) throws {
        try value.rawValue.bind(to: parameters, at: position)
    }
    /// Compares the raw values.
    @inlinable public static func areIdentical(_ left: Value, _ right: Value) -> Bool {
        left.rawValue.isIdentical(to: right.rawValue)
    }
}

/// Stores `nil` as no value and anything else through another coding.
public enum OptionalCoding<Wrapped: ColumnCoding>: ColumnCoding {
    /// An optional of what the other coding stores.
    public typealias Value = Wrapped.Value?
    /// The storage class of the wrapped coding.
    @inlinable public static var storage: StorageClass { Wrapped.storage }
    /// `true`.
    @inlinable public static var isOptional: Bool { true }
    /// The entity that the wrapped coding refers to, if any.
    @inlinable public static var referencedType: Any.Type? { Wrapped.referencedType }
    /// The domain of the wrapped coding.
    @inlinable public static var domain: ColumnDomain { Wrapped.domain }
    /// Whether the wrapped coding has an order in the store.
    @inlinable public static var isOrdered: Bool { Wrapped.isOrdered }
    /// Reads `nil` where there is no value.
    @inlinable public static func read(_ row: RowReader, _ column: Int) throws -> Value {
        row.isNull(at: column) ? nil : try Wrapped.read(row, column)
    }
    /// Binds no value for `nil`.
    @inlinable public static func bind(
        _ value: Value, _ parameters: ParameterWriter, _ position: Int
    ) throws {
        if let value {
            try Wrapped.bind(value, parameters, position)
        } else {
            try parameters.bindNull(at: position)
        }
    }
    /// Both `nil`, or both values and identical.
    @inlinable public static func areIdentical(_ left: Value, _ right: Value) -> Bool {
        switch (left, right) {
        case (nil, nil): true
        case (let left?, let right?): Wrapped.areIdentical(left, right)
        default: false
        }
    }
}
