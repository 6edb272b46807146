/// What the queries of an access have used.
///
/// Only queries count: what the closure fetches, counts, tests, or changes and deletes by a
/// condition. Objects that a write creates, changes or deletes are brought to the store in
/// statements that do not count, and neither does raw SQL.
public struct QueryUse: Sendable, Hashable {
    /// How many statements have run.
    public var statements = 0
    /// How many rows they have handed over.
    ///
    /// A count or a test is one row, and a change or deletion by a condition none, however many
    /// rows it concerns.
    public var rows = 0
    /// How many of the statements have walked through a whole table or index.
    ///
    /// A page does not count if its limit has ended the walk before it passed over any row.
    public var fullScans = 0

    /// Makes a use.
    public init(statements: Int = 0, rows: Int = 0, fullScans: Int = 0) {
        self.statements = statements
        self.rows = rows
        self.fullScans = fullScans
    }
}
