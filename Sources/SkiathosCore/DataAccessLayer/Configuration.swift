public import Logging
public import Metrics
import SkiathosPlatformLibC
public import SkiathosStore

/// The options of a data access layer.
///
/// ```swift
/// var configuration = Configuration()
/// configuration.readerCount = 4
/// configuration.errorHandler = { failure in alert("\(failure.operation): \(failure.error)") }
/// let dal = try await DataAccessLayer.open(
///     .sqlite("app.sqlite"), entities: User.self, configuration: configuration)
/// ```
public struct Configuration: Sendable {
    /// How many reads may run at the same time, from 1 to 64.
    ///
    /// By default two more than there are processor cores, but at least 4 and at most 64. With as many
    /// as cores, threads would wait for those that were interrupted in the middle of a read.
    public var readerCount: Int

    /// Whether the store is opened for reading only: every write fails with the code
    /// `readOnly`, no lock is taken, and a store that another process writes to can be opened.
    ///
    /// By default `false`.
    public var isReadOnly: Bool

    /// How often a store that is opened for reading only looks for commits of the process that writes
    /// it, from 1 ms to 1 h; only while something is observed.
    ///
    /// ```swift
    /// configuration.isReadOnly = true
    /// configuration.commitWatchInterval = .milliseconds(5)   // observers are late by 5 ms at most
    /// ```
    ///
    /// By default 50 ms. Where Linux tells of writes to the file, a commit after a pause is noticed at
    /// once and those that follow on it once in an interval, and no look is made while nothing is
    /// written. There a commit whose sync takes longer than the interval may be noticed as late as that
    /// took. Reads see every commit, whether this store has noticed it or not.
    public var commitWatchInterval: Duration

    /// The acknowledgement level of a write whose call names none: how far it has gone when
    /// the call returns.
    ///
    /// By default `.committed`.
    public var acknowledgement: Acknowledgement

    /// The longest time between merging a write and committing it; at least 0.
    ///
    /// It applies to a write that returned as `.merged`, or that leaves the commit to
    /// concurrent writes.
    ///
    /// By default 2 ms.
    public var commitInterval: Duration

    /// How many writes share a commit at the most; at least 1.
    ///
    /// By default 1,000.
    public var maximumBatchSize: Int

    /// The deadline of a shutdown that is called without one, more than 0.
    ///
    /// By default 10 s, which is less than process managers commonly allow.
    public var shutdownDeadline: Duration

    /// The least time that a shutdown may take past its deadline.
    package var shutdownGrace = ShutdownGrace()

    /// The size of the WAL, in bytes, above which it is checkpointed; at least 0.
    ///
    /// The checkpoint runs when no write waits.
    ///
    /// By default 16 MiB, about four thousand pages, which one table of SQLite's WAL index
    /// covers. A larger size means fewer checkpoints, in which pages that changed often are
    /// written once. It also means a longer WAL to read when the store is opened after a
    /// crash. At four times this size a write waits for the reads that are under way, for up
    /// to about 10 ms. So the WAL can restart even where reads follow each other without end.
    public var checkpointSize: Int

    /// The largest size of each connection's page cache, in bytes.
    ///
    /// By default 32 MiB, which is allocated page by page as pages are read: a small store
    /// needs as much as it has. There are ``readerCount`` connections and one that writes. A reading
    /// connection gets a spare one, with 2 MiB at the most, when a commit first comes between the
    /// beginning of a read and its first statement.
    public var cacheSize: Int

    /// The memory for rows that were looked up by their IDs, in bytes, for all entities together; from
    /// 0, which caches none, to 1 TiB.
    ///
    /// By default 32 MiB, which is allocated as rows are looked up: about a hundred thousand rows of ten
    /// columns. One half goes to the entities in the order in which they need it, the other is divided
    /// equally among all of them.
    ///
    /// Only committed rows are cached: a commit invalidates the rows that it changes. When there is no
    /// memory left, a row has to be looked up twice before it replaces another. Rows with more than
    /// 4 KiB of texts and bytes are not cached. Neither are rows of a store in memory, or of one that is
    /// opened for reading only.
    public var rowCacheSize: Int

    /// How many writes given to `enqueue` or `write(_:completion:)` may wait before further
    /// ones are refused with the code `tooManyWaitingWrites`.
    ///
    /// By default 10,000.
    public var maximumWaitingWrites: Int

    /// The size of the WAL, in bytes, above which a warning names the read that keeps it from
    /// restarting; at least 0.
    ///
    /// A value below ``checkpointSize`` counts as that.
    ///
    /// By default 64 MiB. Writes continue beside a read, and the WAL keeps whatever is written
    /// while it runs. Once the read has ended and the WAL restarts, its file is truncated to
    /// this size, which takes the writing of a few megabytes.
    public var walSizeLimit: Int

    /// Whether to open a store whose WAL has lost acknowledged commits, with what is left.
    ///
    /// By default `false`: opening such a store fails with the code `incompleteWAL` and leaves
    /// its files as they were, so that a backup can be chosen instead. A flipped bit, or a
    /// `-wal` that was removed after the process had been killed, would be missed otherwise.
    /// What is left is checked first, and refused with the code `damaged` if it is not sound.
    ///
    /// ```swift
    /// configuration.acceptsIncompleteWAL = true   // for this opening, after reading the message
    /// ```
    public var acceptsIncompleteWAL = false

    /// The name of the store: the dimension `store` of its metrics, ``EntityChanges/store`` in the
    /// changes that observers get, and the label in logs, spans and reports of shutdowns.
    ///
    /// By default `main`. Give each store of a process a different name, and only a few in
    /// all.
    public var label: String

    /// The factory of the store's metrics.
    ///
    /// By default `nil`, for the factory that `MetricsSystem` has when the store is opened.
    public var metricsFactory: (any MetricsFactory)?

    /// Receives warnings about WAL growth and of the ``statementLog``, and failures that no caller awaits unless
    /// ``errorHandler`` is set.
    ///
    /// By default one with the label `skiathos`. Values of rows never appear in it, unless the
    /// ``statementLog`` asks for them.
    public var logger: Logger

    /// Reports the statements of the store, or the slow ones, with the calls that they belong to.
    ///
    /// ```swift
    /// configuration.statementLog = .slowQueries(over: .milliseconds(100))
    /// ```
    ///
    /// By default `nil`: nothing is recorded.
    public var statementLog: StatementLog?

    /// Makes a span for each read and write.
    ///
    /// By default `nil`: nothing is traced.
    public var tracer: (any AccessTracer)?

    /// The migrations from older schemas to the present one, the oldest first.
    ///
    /// By default none. Migrations that a store has not been through yet run when it is opened
    /// for writing. Every name that stores may know must stay in the list.
    public var migrations: [Migration] = []

    /// The names of the triggers, views and virtual tables that raw SQL adds to the store.
    ///
    /// ```swift
    /// configuration.declaredObjects = ["words", "note_inserted"]   // a full-text index of your own
    /// ```
    ///
    /// By default none. A trigger runs whenever rows change, also one that another program has
    /// added to the file. So a file with a trigger that is not named here is refused with the
    /// code `schemaMismatch`. Raw SQL cannot add such a trigger, and `integrityProblems()`
    /// names those that were added while the store was open. Upper and lower case make no
    /// difference; a named object need not exist. Functions that triggers and views call must
    /// be innocuous to SQLite, as its own nearly all are. Triggers run with `PRAGMA recursive_triggers`,
    /// so those of deletions see the rows that `INSERT OR REPLACE` removes.
    public var declaredObjects: Set<String> = []

    /// Receives the progress of migrations, on the thread that opens the store.
    ///
    /// By default `nil`. It is called every few hundred rows, and must not call the store.
    public var migrationProgress: (@Sendable (MigrationProgress) -> Void)?

    /// Receives every failure that no caller waits for; called from any thread.
    ///
    /// By default the failure is logged as an error by the ``logger``.
    public var errorHandler: @Sendable (BackgroundFailure) -> Void {
        get { chosenErrorHandler ?? Self.logging(to: storeLogger) }
        set { chosenErrorHandler = newValue }
    }
    private var chosenErrorHandler: (@Sendable (BackgroundFailure) -> Void)?

    /// Creates a configuration with the defaults.
    public init() {
        readerCount = min(64, max(4, ProcessorCount.current + 2))
        isReadOnly = false
        commitWatchInterval = .milliseconds(50)
        acknowledgement = .committed
        commitInterval = .milliseconds(2)
        maximumBatchSize = 1_000
        shutdownDeadline = .seconds(10)
        checkpointSize = 16 << 20
        cacheSize = 32 << 20
        rowCacheSize = 32 << 20
        maximumWaitingWrites = 10_000
        walSizeLimit = 64 << 20
        label = "main"
        logger = Logger(label: "skiathos")
    }

    /// The size above which the WAL is too large: at least that at which a checkpoint is due.
    var largestWAL: Int { max(walSizeLimit, checkpointSize) }

    /// The logger, with the name of the store in its metadata.
    var storeLogger: Logger {
        var logger = logger
        logger[metadataKey: "skiathos.store"] = "\(label)"
        return logger
    }

    private static func logging(to logger: Logger) -> @Sendable (BackgroundFailure) -> Void {
        { failure in
            var metadata: Logger.Metadata = ["skiathos.operation": "\(failure.operation)"]
            if failure.lostWrites > 0 {
                metadata["skiathos.lost.writes"] = "\(failure.lostWrites)"
                metadata["skiathos.lost.changes"] = "\(failure.lostSummary)"
            }
            logger.error("A failure that no caller awaits: \(failure.error)", metadata: metadata)
        }
    }

    /// A copy with the metrics factory of this task, which other threads do not know.
    func withMetricsFactory() -> Configuration {
        var copy = self
        copy.metricsFactory = metricsFactory ?? MetricsSystem.factory
        return copy
    }

    /// Creates the metrics of the store.
    func storeMetrics() -> StoreMetrics? {
        StoreMetrics(metricsFactory ?? MetricsSystem.factory, store: label)
    }

    func storeOptions(
        _ observer: (any StoreObserver)?, _ statements: StatementRecording? = nil
    ) throws -> StoreOptions {
        guard (1...64).contains(readerCount) else {
            throw DataAccessError(
                .invalidRequest,
                "Configuration.readerCount is \(readerCount); it must lie between 1 and 64.")
        }
        guard cacheSize >= 0, maximumWaitingWrites >= 0 else {
            throw DataAccessError(
                .invalidRequest,
                "Configuration.cacheSize is \(cacheSize) and maximumWaitingWrites \(maximumWaitingWrites); neither can be negative."
            )
        }
        guard (0...(1 << 40)).contains(rowCacheSize) else {
            throw DataAccessError(
                .invalidRequest,
                "Configuration.rowCacheSize is \(rowCacheSize) bytes; it must lie between 0 and \(1 << 40)."
            )
        }
        guard commitInterval >= .zero, maximumBatchSize >= 1, checkpointSize >= 0 else {
            throw DataAccessError(
                .invalidRequest,
                "Configuration.commitInterval is \(commitInterval), maximumBatchSize \(maximumBatchSize) and checkpointSize \(checkpointSize); they must be at least 0, 1 and 0."
            )
        }
        guard walSizeLimit >= 0 else {
            throw DataAccessError(
                .invalidRequest,
                "Configuration.walSizeLimit is \(walSizeLimit) bytes; it must be at least 0.")
        }
        guard (.milliseconds(1) ... .seconds(3600)).contains(commitWatchInterval) else {
            throw DataAccessError(
                .invalidRequest,
                "Configuration.commitWatchInterval is \(commitWatchInterval); it must lie between 1 ms and 1 h."
            )
        }
        return StoreOptions(
            readerCount: readerCount, isReadOnly: isReadOnly, cacheSize: cacheSize,
            checkpointSize: checkpointSize, walSizeLimit: largestWAL,
            acceptsIncompleteWAL: acceptsIncompleteWAL, observer: observer,
            migrations: migrations.map(\.storeMigration), migrationProgress: migrationProgress,
            declaredObjects: declaredObjects, statements: statements)
    }
}

/// The number of processor cores, from 1 to 64.
enum ProcessorCount {
    static var current: Int { min(64, max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))) }
}
