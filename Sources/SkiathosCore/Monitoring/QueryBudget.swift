/// The limits of the queries of one access.
///
/// ```swift
/// let page = try await dal.read(budget: QueryBudget(statements: 2, rows: 100, fullScans: 0)) {
///     try User.all(where: { $0.age >= 18 }, limit: 50, in: $0)
/// }
/// ```
///
/// A limit that is left out does not apply; a negative number counts as 0. ``QueryUse``
/// defines what is counted.
public struct QueryBudget: Sendable, Hashable {
    /// The most statements.
    public var statements: Int?
    /// The most rows.
    public var rows: Int?
    /// The most statements that scan a whole table or index.
    public var fullScans: Int?

    /// Makes a budget.
    public init(statements: Int? = nil, rows: Int? = nil, fullScans: Int? = nil) {
        self.statements = statements
        self.rows = rows
        self.fullScans = fullScans
    }
}
