public import SkiathosStore

/// What the closure of a query makes of the columns of a row.
@usableFromInline
protocol RowDependent {
    /// The same after the closure has ended.
    func resolved(_ rows: RowResolution) -> Self
    /// What fails the query with an error.
    static func refused(_ error: any Error) -> Self
}

extension Array: RowDependent where Element: RowDependent {
    @usableFromInline
    func resolved(_ rows: RowResolution) -> [Element] { map { $0.resolved(rows) } }

    @usableFromInline
    static func refused(_ error: any Error) -> [Element] { [Element.refused(error)] }
}
