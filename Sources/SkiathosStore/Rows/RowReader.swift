/// The current row of a query.
///
/// Valid until its cursor moves to the next row.
@frozen
public struct RowReader {
    @usableFromInline let statement: OpaquePointer
    @usableFromInline let functions: UnsafePointer<StatementFunctions>

    /// Reads from a backend's statement through its functions, which must outlive every row.
    @inlinable
    public init(statement: OpaquePointer, functions: UnsafePointer<StatementFunctions>) {
        self.statement = statement
        self.functions = functions
    }

    /// Decodes the column at a position.
    ///
    /// ```swift
    /// let age = try row.value(Coding.of(Int.self), at: 3)
    /// ```
    ///
    /// - Throws: ``StoreError`` with code `undecodableValue` if the stored value does not fit.
    @inlinable @inline(__always)
    public func value<C: ColumnCoding>(_ coding: C.Type, at column: Int) throws -> C.Value {
        try C.read(self, column)
    }

    /// Whether the column at a position holds no value.
    @inlinable @inline(__always)
    public func isNull(at column: Int) -> Bool {
        functions.pointee.reading.isNull(statement, Int32(truncatingIfNeeded: column))
    }

    /// The integer at a position.
    @inlinable @inline(__always)
    public func integer(at column: Int) -> Int64 {
        functions.pointee.reading.integer(statement, Int32(truncatingIfNeeded: column))
    }

    /// The floating point number at a position.
    @inlinable @inline(__always)
    public func real(at column: Int) -> Double {
        functions.pointee.reading.real(statement, Int32(truncatingIfNeeded: column))
    }

    /// The text at a position, or `nil` if there is none.
    @inlinable @inline(__always)
    public func text(at column: Int) -> String? {
        var count = 0
        let text = functions.pointee.reading.text
        guard let start = text(statement, Int32(truncatingIfNeeded: column), &count) else {
            return nil
        }
        let bytes = UnsafeRawBufferPointer(start: start, count: count)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// How many bytes the text or the bytes at a position have; 0 if there are none.
    ///
    /// Only for text and blob columns: asking a number converts it to text.
    @inlinable @inline(__always)
    public func byteCount(at column: Int) -> Int {
        Int(functions.pointee.reading.byteCount(statement, Int32(truncatingIfNeeded: column)))
    }

    /// Passes the bytes at a position to a closure; they are valid only inside it.
    ///
    /// No value and no bytes both give an empty buffer.
    @inlinable
    public func withBytes<R>(
        at column: Int, _ body: (UnsafeRawBufferPointer) throws -> R
    ) rethrows -> R {
        let column = Int32(truncatingIfNeeded: column)
        let start = functions.pointee.reading.blob(statement, column)
        let count = Int(functions.pointee.reading.byteCount(statement, column))
        return try body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }
}

@available(*, unavailable)
extension RowReader: Sendable {}
