/// Sends rows to one prepared statement, one after the other.
///
/// Valid only inside the call that it was passed to.
@frozen
public struct RowSink {
    /// Where the values of the next row are bound.
    public let parameters: ParameterWriter

    /// The number of rows sent so far, which identifies the row that failed.
    public var rowCount = 0

    /// Writes through a backend's statement.
    @inlinable
    public init(statement: OpaquePointer, functions: UnsafePointer<StatementFunctions>) {
        parameters = ParameterWriter(statement: statement, functions: functions)
    }

    /// Sends the row whose values were bound.
    ///
    /// - Throws: ``BackendFailure``, which the backend turns into a ``StoreError``.
    @inlinable @inline(__always)
    public mutating func send() throws {
        let functions = parameters.functions
        let code = functions.pointee.execute(parameters.statement)
        if code != functions.pointee.done { throw BackendFailure(code: code, hasRun: true) }
        rowCount += 1
    }
}

@available(*, unavailable)
extension RowSink: Sendable {}
