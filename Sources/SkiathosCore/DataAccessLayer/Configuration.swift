import Logging
import SkiathosStore

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

    /// How long a write that returned as `.merged`, or that leaves the commit to those in line
    /// behind it, waits for its commit at the most; at least 0.
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

    /// How many bytes the store's log may have before it is brought into the main file, which is
    /// done when no write waits; at least 0.
    ///
    /// By default 4 MiB. A larger one means fewer and longer checkpoints.
    public var checkpointSize: Int

    /// How many bytes of pages each connection may keep in memory.
    ///
    /// By default 8 MiB.
    public var cacheSize: Int

    /// How many writes given to `enqueue` or `write(_:completion:)` may wait before further
    /// ones are refused with the code `tooManyWaitingWrites`.
    ///
    /// By default 10,000.
    public var maximumWaitingWrites: Int

    /// Gets every failure that no caller waits for; from any thread.
    ///
    /// By default it is logged through swift-log as an error, under the label `skiathos`.
    public var errorHandler: @Sendable (BackgroundFailure) -> Void

    /// Makes a configuration with the defaults.
    public init() {
        readerCount = max(2, ProcessorCount.current)
        isReadOnly = false
        acknowledgement = .committed
        commitInterval = .milliseconds(2)
        maximumBatchSize = 1_000
        shutdownDeadline = .seconds(10)
        checkpointSize = 4 << 20
        cacheSize = 8 << 20
        maximumWaitingWrites = 10_000
        let logger = Logger(label: "skiathos")
        errorHandler = { failure in
            logger.error(
                "A failure that nobody waits for: \(failure.error)",
                metadata: ["skiathos.operation": "\(failure.operation)"])
        }
    }

    func storeOptions() throws -> StoreOptions {
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
        guard commitInterval >= .zero, maximumBatchSize >= 1, checkpointSize >= 0 else {
            throw DataAccessError(
                .invalidRequest,
                "Configuration.commitInterval is \(commitInterval), maximumBatchSize \(maximumBatchSize) and checkpointSize \(checkpointSize); they must be at least 0, 1 and 0."
            )
        }
        return StoreOptions(
            readerCount: readerCount, isReadOnly: isReadOnly, cacheSize: cacheSize,
            checkpointSize: checkpointSize)
    }
}
