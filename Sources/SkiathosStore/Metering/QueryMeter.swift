/// Hears of every query that a session runs, and may refuse to let it go on.
///
/// It is set with ``StoreSession/metering(_:_:)``. A query is a statement that a closure asks for:
/// one that fetches, counts or tests, or one that changes or deletes by a condition. What a unit of
/// work brings to the store by itself is none.
public protocol QueryMeter: AnyObject {
    /// Called before a statement runs; returns how many rows it may hand over, at least 0.
    ///
    /// - Throws: whatever the query shall fail with; it is not run then.
    func begin(_ statement: MeteredStatement) throws -> Int
    /// Called after a statement has run, and when it was stopped at more rows than it may have.
    ///
    /// - Throws: whatever the query shall fail with. A change that it has made is undone then.
    func end(_ statement: MeteredStatement, _ cost: StatementCost) throws
}

/// A statement as a ``QueryMeter`` sees it.
///
/// Valid only inside the call that it was given to.
public struct MeteredStatement {
    /// What was asked for, where a request describes it.
    public let request: FetchRequest?
    /// Describes the statement and how the backend carries it out.
    ///
    /// Costs a statement of its own.
    public let explain: () throws -> QueryExplanation

    /// Describes a statement.
    public init(request: FetchRequest?, explain: @escaping () throws -> QueryExplanation) {
        self.request = request
        self.explain = explain
    }
}

@available(*, unavailable)
extension MeteredStatement: Sendable {}

/// What one statement has cost.
public struct StatementCost: Sendable, Hashable {
    /// How many rows it has handed over.
    public var rows: Int
    /// Whether it has walked through a table or a whole index, with no condition that would lead to
    /// the rows.
    ///
    /// A walk that a limit has ended before it passed over any row is none.
    public var isFullScan: Bool

    /// Makes a cost.
    public init(rows: Int, isFullScan: Bool) {
        self.rows = rows
        self.isFullScan = isFullScan
    }
}
