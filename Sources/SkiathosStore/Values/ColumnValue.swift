/// A type that a column keeps its values in.
///
/// Conform a type of your own to choose how it is stored and compared in queries. Enumerations
/// with a raw value and `Codable` types need no conformance: see ``Coding``.
///
/// ```swift
/// struct Meters: ColumnValue {
///     var value: Double
///     static var storage: StorageClass { .real }
///     init(row: RowReader, column: Int) throws { value = row.real(at: column) }
///     func bind(to parameters: ParameterWriter, at position: Int) throws {
///         try parameters.bind(value, at: position)
///     }
///     func isIdentical(to other: Meters) -> Bool { value == other.value }
/// }
/// ```
public protocol ColumnValue: Sendable {
    /// How values are kept.
    static var storage: StorageClass { get }
    /// Whether a value may be absent. Only `Optional` says yes.
    static var isOptional: Bool { get }
    /// The entity that values refer to; only `EntityID` has one.
    static var referencedType: Any.Type? { get }
    /// Which values of the storage class a column can hold.
    ///
    /// The default is ``ColumnDomain/readable``: set-based changes let the type read what they compute.
    static var domain: ColumnDomain { get }

    /// Reads the value from the column at a position, which holds a value unless ``isOptional``.
    ///
    /// - Throws: ``StoreError`` with code `undecodableValue` if what is stored does not fit.
    init(row: RowReader, column: Int) throws

    /// Binds the value to the parameter at a position.
    ///
    /// - Throws: ``StoreError`` with code `invalidValue` if it cannot be stored.
    func bind(to parameters: ParameterWriter, at position: Int) throws

    /// Whether storing the other value instead would make no difference.
    func isIdentical(to other: Self) -> Bool
}

extension ColumnValue {
    /// `false`.
    @inlinable public static var isOptional: Bool { false }
    /// `nil`.
    @inlinable public static var referencedType: Any.Type? { nil }
    /// `.readable`.
    @inlinable public static var domain: ColumnDomain { .readable }
}

extension ColumnValue where Self: Equatable {
    /// Compares with `==`.
    @inlinable public func isIdentical(to other: Self) -> Bool { self == other }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
    /// The storage class of the wrapped type.
    @inlinable public static var storage: StorageClass { Wrapped.storage }
    /// `true`.
    @inlinable public static var isOptional: Bool { true }
    /// The entity that the wrapped type refers to, if any.
    @inlinable public static var referencedType: Any.Type? { Wrapped.referencedType }
    /// The domain of the wrapped type.
    @inlinable public static var domain: ColumnDomain { Wrapped.domain }

    /// Reads `nil` where there is no value.
    @inlinable public init(row: RowReader, column: Int) throws {
        self = row.isNull(at: column) ? nil : try Wrapped(row: row, column: column)
    }

    /// Binds no value for `nil`.
    @inlinable public func bind(to parameters: ParameterWriter, at position: Int) throws {
        if let value = self {
            try value.bind(to: parameters, at: position)
        } else {
            try parameters.bindNull(at: position)
        }
    }

    /// Both `nil`, or both values and identical.
    @inlinable public func isIdentical(to other: Wrapped?) -> Bool {
        switch (self, other) {
        case (nil, nil): true
        case (let left?, let right?): left.isIdentical(to: right)
        default: false
        }
    }
}

extension StoreError {
    /// The error for a stored value that does not fit the type of its property.
    @inline(never)
    public static func undecodable(_ type: Any.Type, column: Int) -> StoreError {
        var error = StoreError(
            .undecodableValue,
            "A stored value is not a valid \(type). It was written by something else, or the type has changed. Correct the row with SQL, or convert the column in a migration."
        )
        error.position = column
        return error
    }
}
