/// A statement that a store has executed, as a ``StatementLog`` reports it.
public struct LoggedStatement: Sendable, Hashable {
    /// The kind of work that a statement belongs to.
    public enum Access: String, Sendable, Hashable, CaseIterable {
        /// The closure of a read.
        case read
        /// The closure of a write, its changes, and the savepoints around them.
        case write
        /// The commit of one or more writes.
        case commit
        /// Deleting every row with `reset()`.
        case reset
        /// Replacing every row with `restore(from:)`.
        case restore
        /// Migrating the store when it is opened.
        case migration
        /// Everything else that the store does by itself.
        case maintenance
    }

    /// The statement, with `?` for values unless ``StatementLog/includesValues`` is set.
    ///
    /// Values that raw SQL holds as literals are part of it.
    public var sql: String
    /// The time from its first step to its last.
    ///
    /// It includes the work of a closure that is called for each row.
    public var duration: Duration
    /// How many rows it has returned, if the backend knows; a change returns none.
    public var rows: Int?
    /// Whether it has scanned a table or a whole index.
    ///
    /// A page does not count if its limit has ended the scan before it skipped any row.
    public var isFullScan: Bool
    /// The steps of its plan, a line each; empty without ``StatementLog/includesPlan``, and for
    /// statements without a plan, such as `COMMIT` and those of migrations.
    public var plan: [String]
    /// The kind of work.
    public var access: Access
    /// The source location of the call in the application, as `file:line`; `nil` for work that
    /// the store does by itself.
    ///
    /// A commit has the location of the write that it was made for, if that write has made it.
    public var place: String?
    /// The name of the store: `Configuration.label`.
    public var store: String
    /// How many later statements of the same access were not reported; 0 for all but the last.
    ///
    /// Of one access, 1,000 are reported.
    public var dropped: Int

    /// Makes a statement, for the tests of a handler.
    public init(
        sql: String, duration: Duration, rows: Int? = nil, isFullScan: Bool = false,
        plan: [String] = [], access: Access, place: String? = nil, store: String = "main",
        dropped: Int = 0
    ) {
        self.sql = sql
        self.duration = duration
        self.rows = rows
        self.isFullScan = isFullScan
        self.plan = plan
        self.access = access
        self.place = place
        self.store = store
        self.dropped = dropped
    }
}
