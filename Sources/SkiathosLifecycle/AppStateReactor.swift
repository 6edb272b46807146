public import Logging
public import SkiathosCore
public import UnixSignals

/// Shuts a store down in order when the process is told to stop.
///
/// ```swift
/// let report = try await AppStateReactor(dal).run {
///     try await serve(dal)                 // cancelled by SIGTERM or SIGINT
/// }
/// ```
///
/// Nothing new is accepted from the first signal on; what was accepted is finished, brought to disk
/// and closed within the deadline of the configuration. A second signal ends the patience: what has
/// not begun is turned away at once.
///
/// Opening a store alone installs no signal handler. Use this in programs that have no service
/// group; with one, list the store as a service, and see `ServiceGroup.runUntilTerminated(hurrying:)`.
public struct AppStateReactor: Sendable {
    private let dal: DataAccessLayer
    private let signals: [UnixSignal]
    private let logger: Logger

    /// Makes a reactor.
    ///
    /// - Parameters:
    ///   - dal: What is shut down.
    ///   - signals: Which signals tell the process to stop.
    ///   - logger: Is told of signals, and of what was left undone.
    public init(
        _ dal: DataAccessLayer, signals: [UnixSignal] = [.sigterm, .sigint],
        logger: Logger = Logger(label: "skiathos.lifecycle")
    ) {
        self.dal = dal
        self.signals = signals
        self.logger = logger
    }

    /// Runs the work of the process until it ends or a signal comes, and shuts the store down.
    ///
    /// While closures that take long hold all threads of Swift's tasks, the store is shut down all
    /// the same, and the logger is told; this returns when one of them is free again.
    ///
    /// - Parameter work: Is cancelled when the store was shut down after a signal, and not waited
    ///   for. Its calls of the store are refused from the signal on.
    /// - Returns: What the shutdown has come to.
    /// - Throws: What the work throws if it ends by itself, after the store was shut down.
    @discardableResult
    public func run(
        _ work: @escaping @Sendable () async throws -> Void
    ) async throws -> ShutdownReport {
        let (ends, end) = AsyncStream.makeStream(of: End.self)
        let received = await StopSignals(trapping: signals, logger: logger)
        let watching = Task(executorPreference: ShutdownExecutor.shared) { [dal] in
            await received.watch {
                end.yield(.stop)
            } further: {
                await dal.shutDown(within: .zero)
            }
        }
        let working = Task {
            do {
                end.yield(.work(.success(try await work())))
            } catch {
                end.yield(.work(.failure(error)))
            }
        }
        defer {
            working.cancel()
            watching.cancel()
        }
        // Cancelling the caller counts as a signal, and does not cut the shutdown short.
        let stopping = Task(executorPreference: ShutdownExecutor.shared) { [dal, logger] in
            let cause = await ends.first { _ in true }
            let report = await dal.shutDown()
            if !report.isComplete { logger.error("\(report)") }
            return (cause, report)
        }
        let (cause, report) = await withTaskCancellationHandler {
            await stopping.value
        } onCancel: {
            end.yield(.stop)
        }
        if case .work(let result) = cause { try result.get() }
        return report
    }

    private enum End: Sendable {
        case work(Result<Void, any Error>)
        case stop
    }
}

extension DataAccessLayer {
    /// Runs the work of a process until it ends or SIGTERM or SIGINT comes, and shuts down in
    /// order; see ``AppStateReactor``.
    @discardableResult
    public func runUntilTerminated(
        _ work: @escaping @Sendable () async throws -> Void
    ) async throws -> ShutdownReport {
        try await AppStateReactor(self).run(work)
    }
}
