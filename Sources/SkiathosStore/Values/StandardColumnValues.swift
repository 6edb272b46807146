extension Int64: ColumnValue {
    /// `.integer`.
    @inlinable public static var storage: StorageClass { .integer }
    /// `.everything`.
    @inlinable public static var domain: ColumnDomain { .everything }
    /// Reads the integer.
    @inlinable public init(row: RowReader, column: Int) throws { self = row.integer(at: column) }
    /// Binds the integer.
    @inlinable public func bind(to parameters: ParameterWriter, at position: Int) throws {
        try parameters.bind(self, at: position)
    }
}

/// Integers other than `Int64`, stored as one and checked against their range in both directions.
public protocol IntegerColumnValue: ColumnValue, FixedWidthInteger {}

extension IntegerColumnValue {
    /// `.integer`.
    @inlinable public static var storage: StorageClass { .integer }
    /// The range of the type, as far as `Int64` goes.
    @inlinable public static var domain: ColumnDomain {
        let range = Int64(clamping: Self.min)...Int64(clamping: Self.max)
        return range == Int64.min...Int64.max ? .everything : .integers(range)
    }

    /// Reads an integer that lies in the range of the type.
    @inlinable public init(row: RowReader, column: Int) throws {
        guard let value = Self(exactly: row.integer(at: column)) else {
            throw StoreError.undecodable(Self.self, column: column)
        }
        self = value
    }

    /// Binds the integer; one above `Int64.max` is refused.
    @inlinable public func bind(to parameters: ParameterWriter, at position: Int) throws {
        guard let value = Int64(exactly: self) else {
            throw StoreError(
                .invalidValue,
                "An integer is larger than \(Int64.max), the largest that can be stored. Store it as text or Decimal."
            )
        }
        try parameters.bind(value, at: position)
    }
}

extension Int: IntegerColumnValue {}
extension Int8: IntegerColumnValue {}
extension Int16: IntegerColumnValue {}
extension Int32: IntegerColumnValue {}
extension UInt: IntegerColumnValue {}
extension UInt8: IntegerColumnValue {}
extension UInt16: IntegerColumnValue {}
extension UInt32: IntegerColumnValue {}
extension UInt64: IntegerColumnValue {}

extension Bool: ColumnValue {
    /// `.integer`, 0 or 1.
    @inlinable public static var storage: StorageClass { .integer }
    /// 0 and 1.
    @inlinable public static var domain: ColumnDomain { .integers(0...1) }
    /// Reads 0 as `false` and 1 as `true`.
    @inlinable public init(row: RowReader, column: Int) throws {
        let value = row.integer(at: column)
        guard value == 0 || value == 1 else {
            throw StoreError.undecodable(Self.self, column: column)
        }
        self = value == 1
    }
    /// Binds 0 or 1.
    @inlinable public func bind(to parameters: ParameterWriter, at position: Int) throws {
        try parameters.bind(self ? 1 : 0 as Int64, at: position)
    }
}

extension Double: ColumnValue {
    /// `.real`.
    @inlinable public static var storage: StorageClass { .real }
    /// `.everything`.
    @inlinable public static var domain: ColumnDomain { .everything }
    /// Reads the number.
    @inlinable public init(row: RowReader, column: Int) throws { self = row.real(at: column) }
    /// Binds the number; NaN is refused, infinities are stored.
    @inlinable public func bind(to parameters: ParameterWriter, at position: Int) throws {
        try parameters.bind(self, at: position)
    }
}

extension Float: ColumnValue {
    /// `.real`.
    @inlinable public static var storage: StorageClass { .real }
    /// `.singlePrecision`.
    @inlinable public static var domain: ColumnDomain { .singlePrecision }
    /// Reads the number, rounded to the nearest one of single precision; one beyond their range is
    /// refused.
    @inlinable public init(row: RowReader, column: Int) throws {
        let stored = row.real(at: column)
        let value = Float(stored)
        guard value.isFinite || stored.isInfinite else {
            throw StoreError.undecodable(Self.self, column: column)
        }
        self = value
    }
    /// Binds the number; NaN is refused, infinities are stored.
    @inlinable public func bind(to parameters: ParameterWriter, at position: Int) throws {
        try parameters.bind(Double(self), at: position)
    }
}

extension String: ColumnValue {
    /// `.text`.
    @inlinable public static var storage: StorageClass { .text }
    /// `.everything`.
    @inlinable public static var domain: ColumnDomain { .everything }
    /// Reads the text.
    @inlinable public init(row: RowReader, column: Int) throws {
        guard let text = row.text(at: column) else {
            throw StoreError.undecodable(Self.self, column: column)
        }
        self = text
    }
    /// Binds the text; the NUL character is refused.
    @inlinable public func bind(to parameters: ParameterWriter, at position: Int) throws {
        try parameters.bind(self, at: position)
    }
    /// Compares the UTF-8 bytes.
    ///
    /// `==` would take canonically equivalent texts for the same, and a change from one to the
    /// other would never be stored.
    @inlinable public func isIdentical(to other: String) -> Bool {
        // Most texts that are compared are copies of each other.
        if hasSameRepresentation(as: other) { return true }
        guard utf8.count == other.utf8.count else { return false }
        // Nil only for text that is no native Swift text.
        let result = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { left.hasSameBytes(as: $0) }
        }
        if case .some(.some(let areSame)) = result { return areSame }
        return utf8.elementsEqual(other.utf8)
    }
}

extension String {
    /// Whether both are the same words in memory, and so have the same bytes: they share them, or
    /// hold them in these words themselves.
    ///
    /// This takes five instructions; looking at the bytes takes more than a hundred.
    @inlinable @inline(__always)
    func hasSameRepresentation(as other: String) -> Bool {
        guard MemoryLayout<String>.size == MemoryLayout<(UInt64, UInt64)>.size else { return false }
        return unsafeBitCast(self, to: (UInt64, UInt64).self)
            == unsafeBitCast(other, to: (UInt64, UInt64).self)
    }
}
