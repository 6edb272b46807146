/// A cursor over the rows of a query.
///
/// Valid only inside the closure that it was passed to.
@frozen
public struct RowCursor {
    /// The current row; meaningful after ``next()`` has returned `true`.
    public let row: RowReader

    /// The last result code, which the backend checks after the last row.
    public var code: Int32

    /// How many rows are to be expected, as a hint for reserving memory; 0 if that is not known.
    public var expectedCount = 0

    /// How many rows were decoded, for the next hint.
    public var decodedCount = 0

    /// Makes a cursor of a backend's statement.
    @inlinable
    public init(statement: OpaquePointer, functions: UnsafePointer<StatementFunctions>) {
        row = RowReader(statement: statement, functions: functions)
        code = functions.pointee.row
    }

    /// Moves to the next row, or returns `false` at the end and after a failure.
    ///
    /// The backend throws the failure when the closure returns, so no caller can mistake a
    /// part of the result for the whole.
    @inlinable @inline(__always)
    public mutating func next() -> Bool {
        guard code == row.functions.pointee.row else { return false }
        code = row.functions.pointee.step(row.statement)
        return code == row.functions.pointee.row
    }
}

@available(*, unavailable)
extension RowCursor: Sendable {}
