/// Observes every query of a session, and may refuse it.
///
/// It is set with ``StoreSession/metering(_:_:)``. A query is a statement that a closure asks
/// for: one that fetches, counts or tests, or one that changes or deletes by a condition. The
/// statements that flush a unit of work do not count.
public protocol QueryMeter: AnyObject {
    /// Called before a statement runs; returns how many rows it may return, at least 0.
    ///
    /// - Throws: the error that the query shall fail with; it is then not run.
    func begin(_ statement: MeteredStatement) throws -> Int
    /// Called after a statement has run, or was stopped at its limit of rows.
    ///
    /// - Throws: the error that the query shall fail with. A change that it has made is then
    ///   rolled back.
    func end(_ statement: MeteredStatement, _ cost: StatementCost) throws
}

/// A statement as a ``QueryMeter`` sees it.
///
/// Valid only inside the call that it was passed to.
public struct MeteredStatement {
    /// The request, if there is one for the statement.
    public let request: FetchRequest?
    /// Returns the statement and the backend's plan.
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

/// The cost of one statement.
public struct StatementCost: Sendable, Hashable {
    /// How many rows it has returned.
    public var rows: Int
    /// Whether it has scanned a table or a whole index, without a condition that would narrow
    /// the rows.
    ///
    /// A scan that a limit has ended before it skipped any row does not count.
    public var isFullScan: Bool

    /// Makes a cost.
    public init(rows: Int, isFullScan: Bool) {
        self.rows = rows
        self.isFullScan = isFullScan
    }
}
