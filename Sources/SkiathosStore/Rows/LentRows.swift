/// Bulk rows: a backend reads them one after the other, column by column, from inside a
/// statement that takes all of them.
///
/// Valid only inside the closure that it was passed to.
public struct LentRows {
    /// The number of rows.
    public let count: Int

    @usableFromInline let move: (Int) -> Void
    @usableFromInline let bindColumn: (Int, ParameterWriter) throws -> Void

    /// Makes bulk rows.
    ///
    /// - Parameters:
    ///   - count: The number of rows, at least 1.
    ///   - move: Makes the row at a position, counted from 0, the current one.
    ///   - bind: Binds the value at a position of the current row, counted as ``RowSink`` counts
    ///     parameters, to the first parameter. May throw ``StoreError``.
    @inlinable
    public init(
        count: Int, move: @escaping (Int) -> Void,
        bind: @escaping (Int, ParameterWriter) throws -> Void
    ) {
        self.count = count
        self.move = move
        bindColumn = bind
    }

    /// Makes the row at a position the current one, from 0 to ``count`` − 1.
    @inlinable @inline(__always)
    public func moveToRow(_ row: Int) { move(row) }

    /// Binds the value at a position of the current row to the first parameter of a writer.
    @inlinable @inline(__always)
    public func bind(_ position: Int, to parameters: ParameterWriter) throws {
        try bindColumn(position, parameters)
    }
}

@available(*, unavailable)
extension LentRows: Sendable {}
