/// The work of the queries of an access.
///
/// Only queries count: what the closure fetches, counts, tests, or changes and deletes by a
/// condition. Objects that a write creates, changes or deletes are flushed in statements that
/// do not count, and neither does raw SQL.
public struct QueryUse: Sendable, Hashable {
    /// How many statements have run.
    public var statements = 0
    /// How many rows they have returned.
    ///
    /// A count or a test is one row, and a change or deletion by a condition none, however many
    /// rows it concerns.
    public var rows = 0
    /// How many of the statements have scanned a whole table or index.
    ///
    /// A page does not count if its limit has ended the scan before it skipped any row.
    public var fullScans = 0

    /// Makes the counts of an access.
    public init(statements: Int = 0, rows: Int = 0, fullScans: Int = 0) {
        self.statements = statements
        self.rows = rows
        self.fullScans = fullScans
    }
}
