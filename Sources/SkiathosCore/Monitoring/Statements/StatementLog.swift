import SkiathosStore

/// Which statements of a store are reported, and where.
///
/// ```swift
/// configuration.statementLog = .slowQueries(over: .milliseconds(100))
/// // warning: A statement took 0.31 seconds: SELECT … FROM "user" WHERE "age" > ?
/// //   skiathos.place=App/Report.swift:42 skiathos.statement.plan=[SCAN user] …
///
/// configuration.statementLog = .all { statement in print(statement.sql, statement.duration) }
/// ```
///
/// All statements of reads and writes are covered, also those that flush objects, those of raw
/// SQL, and commits. A store without a log pays nothing for it. With a log, SQLite reports each
/// statement and row, also those that are faster than the threshold.
public struct StatementLog: Sendable {
    /// The shortest duration of a reported statement; 0 or less reports every statement.
    public var threshold: Duration
    /// Whether the plans of reported statements are made, which costs a statement each.
    public var includesPlan: Bool
    /// Whether the values of parameters stand in the statements, in place of `?`.
    ///
    /// Values of rows then appear wherever the statements do. A statement is cut after 16 KiB.
    public var includesValues: Bool
    /// Called with each reported statement; `nil` logs it as a warning by the store's logger.
    ///
    /// The statements of an access are reported when it has ended, on its thread and before its
    /// call returns; those of work that no caller waits for, such as an `enqueue`, on a queue. So
    /// the handler may call `read` and `write`, whose statements are not reported then; it must
    /// neither call `enqueue` nor start a task that calls the store, which would have no end. A
    /// slow handler makes accesses slow.
    public var handler: (@Sendable (LoggedStatement) -> Void)?

    /// How many statements of one access are reported.
    package var limit = 1_000
    /// The clock by which statements are measured.
    package var now: @Sendable () -> ContinuousClock.Instant = { .now }

    /// Makes a log.
    ///
    /// - Parameters:
    ///   - threshold: The shortest duration of a reported statement; by default 0, for all.
    ///   - includesPlan: Whether plans are made.
    ///   - includesValues: Whether the values of parameters stand in the statements.
    ///   - handler: Called with each statement.
    public init(
        threshold: Duration = .zero, includesPlan: Bool = true, includesValues: Bool = false,
        handler: @escaping @Sendable (LoggedStatement) -> Void
    ) {
        self.threshold = threshold
        self.includesPlan = includesPlan
        self.includesValues = includesValues
        self.handler = handler
    }

    private init(logging threshold: Duration, _ includesValues: Bool) {
        self.threshold = threshold
        self.includesPlan = true
        self.includesValues = includesValues
    }

    /// Logs statements that take as long as a threshold, as warnings by `Configuration.logger`,
    /// with their plans and the calls that they belong to.
    ///
    /// - Parameters:
    ///   - threshold: The shortest duration of a logged statement.
    ///   - includesValues: Whether the values of parameters stand in the statements.
    public static func slowQueries(
        over threshold: Duration, includesValues: Bool = false
    ) -> StatementLog {
        StatementLog(logging: threshold, includesValues)
    }

    /// Passes every statement to a closure, without its plan.
    ///
    /// - Parameters:
    ///   - includesValues: Whether the values of parameters stand in the statements.
    ///   - handler: Called with each statement.
    public static func all(
        includesValues: Bool = false, _ handler: @escaping @Sendable (LoggedStatement) -> Void
    ) -> StatementLog {
        StatementLog(includesPlan: false, includesValues: includesValues, handler: handler)
    }

    /// What the backend records for this log.
    func recording(
        _ migrated: @escaping @Sendable (RecordedStatements) -> Void
    ) -> StatementRecording {
        StatementRecording(
            threshold: threshold, includesPlans: includesPlan, includesValues: includesValues,
            limit: limit, now: now, migrated: migrated)
    }
}
