/// What a backend records of the statements that it executes.
///
/// It is passed in ``StoreOptions``, and is `nil` there unless an application asks for its
/// statements: a backend then does nothing for it.
public struct StatementRecording: Sendable {
    /// The shortest duration of a statement that is recorded; 0 records every statement.
    public var threshold: Duration
    /// Whether the plans of recorded statements are added.
    public var includesPlans: Bool
    /// Whether the values of parameters stand in the text of a statement.
    public var includesValues: Bool
    /// How many statements are kept until they are taken, at least 0; later ones are counted only.
    public var limit: Int
    /// The clock by which durations are measured.
    public var now: @Sendable () -> ContinuousClock.Instant
    /// Called with the statements of migrations, on the thread that opens the store.
    public var migrated: @Sendable (RecordedStatements) -> Void

    /// Describes what is recorded.
    public init(
        threshold: Duration = .zero, includesPlans: Bool = false, includesValues: Bool = false,
        limit: Int = 1_000,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        migrated: @escaping @Sendable (RecordedStatements) -> Void = { _ in }
    ) {
        self.threshold = threshold
        self.includesPlans = includesPlans
        self.includesValues = includesValues
        self.limit = limit
        self.now = now
        self.migrated = migrated
    }
}

/// A statement that a backend has executed.
public struct RecordedStatement: Sendable, Hashable {
    /// The statement in the backend's language, with placeholders for values unless they are
    /// recorded.
    public var sql: String
    /// The time from its first step to its last.
    public var duration: Duration
    /// How many rows it has returned, if that is known.
    public var rows: Int?
    /// Whether it has scanned a table or a whole index.
    ///
    /// A scan that a limit has ended before it skipped any row does not count.
    public var isFullScan: Bool
    /// The steps of its plan, as in ``QueryExplanation``; empty if plans are not recorded, or if
    /// the statement has none.
    public var plan: [String]

    /// Describes a statement.
    public init(
        sql: String, duration: Duration, rows: Int? = nil, isFullScan: Bool = false,
        plan: [String] = []
    ) {
        self.sql = sql
        self.duration = duration
        self.rows = rows
        self.isFullScan = isFullScan
        self.plan = plan
    }
}

/// The statements of one use of a connection.
public struct RecordedStatements: Sendable, Hashable {
    /// The statements, in the order in which they have ended.
    public var statements: [RecordedStatement]
    /// How many further ones there were, past ``StatementRecording/limit``.
    public var dropped: Int

    /// Makes a list of statements.
    public init(_ statements: [RecordedStatement] = [], dropped: Int = 0) {
        self.statements = statements
        self.dropped = dropped
    }

    /// Whether there was none.
    public var isEmpty: Bool { statements.isEmpty && dropped == 0 }
}
