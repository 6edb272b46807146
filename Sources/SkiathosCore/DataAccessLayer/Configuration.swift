public import Logging
public import Metrics
public import SkiathosStore

/// Everything about a data access layer that has a choice.
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
    /// By default the number of processor cores, but at least 2.
    public var readerCount: Int

    /// Whether the store is opened for reading only: every write fails with the code
    /// `readOnly`, no lock is taken, and a store that another process writes to can be opened.
    ///
    /// By default `false`.
    public var isReadOnly: Bool

    /// How far a write has gone when its call returns, unless the call says otherwise.
    ///
    /// By default `.committed`.
    public var acknowledgement: Acknowledgement

    /// How long a write that returned as `.merged`, or that leaves the commit to others which write
    /// at the same time, waits for its commit at the most; at least 0.
    ///
    /// By default 2 ms.
    public var commitInterval: Duration

    /// How many writes share a commit at the most; at least 1.
    ///
    /// By default 1,000.
    public var maximumBatchSize: Int

    /// How long a shutdown may take that is not given a deadline of its own, more than 0.
    ///
    /// By default 10 s, which is less than process managers commonly allow.
    public var shutdownDeadline: Duration

    /// How long a shutdown may take past its deadline, at least.
    package var shutdownGrace = ShutdownGrace()

    /// How many bytes the store's log may have before it is brought into the main file, which is
    /// done when no write waits; at least 0.
    ///
    /// By default 16 MiB, about four thousand pages, which SQLite finds through one table. A larger
    /// one means fewer checkpoints, in which pages that changed often are written once, and a longer
    /// log to look at when the store is opened after a crash. A log of four times that size has a
    /// write wait for reads that are under way, for up to about 10 ms, so that the log can be emptied
    /// even where reads follow each other without end.
    public var checkpointSize: Int

    /// How many bytes of pages each connection may keep in memory.
    ///
    /// By default 32 MiB, which is taken page by page as pages are read: a small store needs as much
    /// as it has. There are ``readerCount`` connections and one that writes.
    public var cacheSize: Int

    /// How many rows of each entity are kept in memory after they were looked up by their IDs, for
    /// the next read that does; at least 0, which keeps none.
    ///
    /// By default 10,000. What is kept is what is committed: a commit takes out the rows that it
    /// changes. When there is no room, a row has to be looked up twice before it takes the place of
    /// another. Rows with more than 4 KiB of texts and bytes are not kept, and neither are any of a
    /// store in memory, or of one that is opened for reading only.
    public var rowCacheLimit: Int

    /// How many writes given to `enqueue` or `write(_:completion:)` may wait before further
    /// ones are refused with the code `tooManyWaitingWrites`.
    ///
    /// By default 10,000.
    public var maximumWaitingWrites: Int

    /// How large the log of a file may become before a warning names the read that keeps it from
    /// being emptied, in bytes, at least 0; less than ``checkpointSize`` counts as that.
    ///
    /// By default 64 MiB. Writes go on beside a read, and the log keeps whatever is written while it
    /// runs. Once it has ended, the file of the log is cut to this size when the log
    /// starts over, which takes the writing of a few megabytes.
    public var logSizeLimit: Int

    /// Whether a store is opened whose WAL has lost commits that were acknowledged, with what is
    /// there.
    ///
    /// By default `false`: opening such a store fails with the code `incompleteWAL` and leaves its
    /// files as they were, so that a backup can be chosen instead. A bit that has flipped, or a
    /// `-wal` that was removed after the process had been killed, would pass unseen otherwise. What
    /// is there is checked first, and refused with the code `damaged` if it is not sound.
    ///
    /// ```swift
    /// configuration.acceptsIncompleteWAL = true   // for this opening, after reading the message
    /// ```
    public var acceptsIncompleteWAL = false

    /// What the store is called in its metrics, as the dimension `store`.
    ///
    /// By default `main`. Give each store of a process a name of its own, and only a few in all.
    public var label: String

    /// What makes the metrics of the store when it is opened.
    ///
    /// By default `nil`, for the one that `MetricsSystem` has when the store is opened.
    public var metricsFactory: (any MetricsFactory)?

    /// What is told to nobody else goes here: a warning where a read lets the log grow, and the
    /// failures that the default ``errorHandler`` gets.
    ///
    /// By default one with the label `skiathos`. Values of rows never appear in it.
    public var logger: Logger

    /// The steps from older schemas to the present one, the oldest first.
    ///
    /// By default none. Those that a store has not been through yet run when it is opened for
    /// writing. Every name that stores may know must stay in the list.
    public var migrations: [Migration] = []

    /// The names of the triggers, views and virtual tables that raw SQL adds to the store.
    ///
    /// ```swift
    /// configuration.declaredObjects = ["words", "note_inserted"]   // a full-text index of your own
    /// ```
    ///
    /// By default none. A trigger runs whenever rows change, also one that another program has added
    /// to the file. So a file with one that is not named here is refused with the code
    /// `schemaMismatch`, raw SQL cannot add one, and `integrityProblems()` names those that were added
    /// while the store was open. Upper and lower case make no difference; what is named need not be
    /// there. Functions that they call must be innocuous to SQLite, as its own nearly all are.
    public var declaredObjects: Set<String> = []

    /// Hears how far the steps of a migration have come, on the thread that opens the store.
    ///
    /// By default `nil`. It is called every few hundred rows, and must not call the store.
    public var migrationProgress: (@Sendable (MigrationProgress) -> Void)?

    /// Gets every failure that no caller waits for; from any thread.
    ///
    /// By default it is logged as an error by the ``logger``.
    public var errorHandler: @Sendable (BackgroundFailure) -> Void {
        get { chosenErrorHandler ?? Self.logging(to: storeLogger) }
        set { chosenErrorHandler = newValue }
    }
    private var chosenErrorHandler: (@Sendable (BackgroundFailure) -> Void)?

    /// Makes a configuration with the defaults.
    public init() {
        readerCount = max(2, ProcessorCount.current)
        isReadOnly = false
        acknowledgement = .committed
        commitInterval = .milliseconds(2)
        maximumBatchSize = 1_000
        shutdownDeadline = .seconds(10)
        checkpointSize = 16 << 20
        cacheSize = 32 << 20
        rowCacheLimit = 10_000
        maximumWaitingWrites = 10_000
        logSizeLimit = 64 << 20
        label = "main"
        logger = Logger(label: "skiathos")
    }

    /// The size above which a log is too large, which it is not before a checkpoint is due.
    var largestLog: Int { max(logSizeLimit, checkpointSize) }

    /// The logger, with the name of the store in what it logs.
    var storeLogger: Logger {
        var logger = logger
        logger[metadataKey: "skiathos.store"] = "\(label)"
        return logger
    }

    private static func logging(to logger: Logger) -> @Sendable (BackgroundFailure) -> Void {
        { failure in
            logger.error(
                "A failure that nobody waits for: \(failure.error)",
                metadata: ["skiathos.operation": "\(failure.operation)"])
        }
    }

    /// With the factory that is in force for this task, which other threads do not know.
    func withMetricsFactory() -> Configuration {
        var copy = self
        copy.metricsFactory = metricsFactory ?? MetricsSystem.factory
        return copy
    }

    /// Makes the metrics of the store.
    func storeMetrics() -> StoreMetrics? {
        StoreMetrics(metricsFactory ?? MetricsSystem.factory, store: label)
    }

    func storeOptions(_ observer: (any StoreObserver)?) throws -> StoreOptions {
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
        guard (0...(1 << 32)).contains(rowCacheLimit) else {
            throw DataAccessError(
                .invalidRequest,
                "Configuration.rowCacheLimit is \(rowCacheLimit); it must lie between 0 and \(1 << 32)."
            )
        }
        guard commitInterval >= .zero, maximumBatchSize >= 1, checkpointSize >= 0 else {
            throw DataAccessError(
                .invalidRequest,
                "Configuration.commitInterval is \(commitInterval), maximumBatchSize \(maximumBatchSize) and checkpointSize \(checkpointSize); they must be at least 0, 1 and 0."
            )
        }
        guard logSizeLimit >= 0 else {
            throw DataAccessError(
                .invalidRequest,
                "Configuration.logSizeLimit is \(logSizeLimit) bytes; it must be at least 0.")
        }
        return StoreOptions(
            readerCount: readerCount, isReadOnly: isReadOnly, cacheSize: cacheSize,
            checkpointSize: checkpointSize, logSizeLimit: largestLog,
            acceptsIncompleteWAL: acceptsIncompleteWAL, observer: observer,
            migrations: migrations.map(\.storeMigration), migrationProgress: migrationProgress,
            declaredObjects: declaredObjects)
    }
}
