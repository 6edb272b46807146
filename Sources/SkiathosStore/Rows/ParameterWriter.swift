/// Binds the values of one row or condition to a statement.
@frozen
public struct ParameterWriter {
    @usableFromInline let statement: OpaquePointer
    @usableFromInline let functions: UnsafePointer<StatementFunctions>

    /// Binds to a backend's statement through its functions, which must outlive the statement.
    @inlinable
    public init(statement: OpaquePointer, functions: UnsafePointer<StatementFunctions>) {
        self.statement = statement
        self.functions = functions
    }

    /// Encodes a value into the parameter at a position, counted from 0.
    ///
    /// - Throws: ``StoreError`` with code `invalidValue` if the value cannot be stored.
    @inlinable @inline(__always)
    public func bind<C: ColumnCoding>(
        _ value: C.Value, _ coding: C.Type, at position: Int
    ) throws {
        try C.bind(value, self, position)
    }

    /// Binds no value.
    @inlinable @inline(__always)
    public func bindNull(at position: Int) throws {
        try check(functions.pointee.binding.null(statement, parameter(position)))
    }

    /// Binds an integer.
    @inlinable @inline(__always)
    public func bind(_ value: Int64, at position: Int) throws {
        try check(functions.pointee.binding.integer(statement, parameter(position), value))
    }

    /// Binds a floating point number.
    ///
    /// NaN is refused, since databases turn it into no value.
    @inlinable @inline(__always)
    public func bind(_ value: Double, at position: Int) throws {
        guard !value.isNaN else { throw StoreError.notANumber() }
        try check(functions.pointee.binding.real(statement, parameter(position), value))
    }

    /// Binds text.
    ///
    /// A NUL character is refused, since databases' text functions stop at it.
    @inlinable @inline(__always)
    public func bind(_ value: String, at position: Int) throws {
        // Every text of Swift's own has its bytes in a row, and a copy of it is not needed then.
        if let code = try value.utf8.withContiguousStorageIfAvailable({ utf8 in
            try bind(utf8, at: position)
        }) {
            return try check(code)
        }
        var copy = value
        try check(try copy.withUTF8 { utf8 in try bind(utf8, at: position) })
    }

    @inlinable @inline(__always)
    func bind(_ utf8: UnsafeBufferPointer<UInt8>, at position: Int) throws -> Int32 {
        guard !utf8.containsZero else { throw StoreError.nulCharacter() }
        return functions.pointee.binding.text(
            statement, parameter(position), UnsafeRawPointer(utf8.baseAddress), utf8.count)
    }

    /// Binds bytes, which are copied.
    @inlinable
    public func bind(bytes: UnsafeRawBufferPointer, at position: Int) throws {
        try check(
            functions.pointee.binding.blob(
                statement, parameter(position), bytes.baseAddress, bytes.count))
    }

    @inlinable @inline(__always)
    func parameter(_ position: Int) -> Int32 { Int32(truncatingIfNeeded: position + 1) }

    @inlinable @inline(__always)
    func check(_ code: Int32) throws {
        if code != 0 { throw BackendFailure(code: code, hasRun: false) }
    }
}

@available(*, unavailable)
extension ParameterWriter: Sendable {}

extension StoreError {
    @usableFromInline @inline(never)
    static func notANumber() -> StoreError {
        StoreError(
            .invalidValue,
            "A floating point property is not a number (NaN), which cannot be stored or compared. Make the property optional and use nil for it."
        )
    }

    @usableFromInline @inline(never)
    static func nulCharacter() -> StoreError {
        StoreError(
            .invalidValue,
            "A text contains the NUL character U+0000, at which the database's text functions would stop. Remove it, or use a property of type Data."
        )
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether a byte is 0, looked for eight bytes at a time: every text that is stored goes through
    /// here.
    ///
    /// The last word overlaps the one before it, so that no bytes are left over.
    @inlinable
    var containsZero: Bool {
        guard let start = baseAddress.map(UnsafeRawPointer.init) else { return false }
        guard count >= 8 else {
            for byte in self where byte == 0 { return true }
            return false
        }
        var offset = 0
        while offset < count &- 8 {
            let word = start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            if Self.containsZero(word) { return true }
            offset &+= 8
        }
        let last = start.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
        return Self.containsZero(last)
    }

    /// Whether a byte of a word is 0 (Warren, Hacker's Delight, 6-1): only then does subtracting one
    /// from each byte set a high bit that was not set.
    @inlinable @inline(__always)
    static func containsZero(_ word: UInt64) -> Bool {
        (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080 != 0
    }

    /// Whether other bytes, as many as these, are the same, compared eight at a time.
    @inlinable
    func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
        var offset = 0
        let left = UnsafeRawBufferPointer(self)
        let right = UnsafeRawBufferPointer(other)
        while offset + 8 <= count {
            let word = left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            if word != right.loadUnaligned(fromByteOffset: offset, as: UInt64.self) { return false }
            offset += 8
        }
        while offset < count {
            if left[offset] != right[offset] { return false }
            offset += 1
        }
        return true
    }
}
