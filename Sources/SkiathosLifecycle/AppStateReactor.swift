#if Lifecycle
internal import Dispatch
internal import Foundation
public import Logging
public import SkiathosCore
public import UnixSignals

/// Shuts down a store gracefully when the process gets a stop signal: the app-state reactor.
///
/// ```swift
/// let report = try await AppStateReactor(dal).run {
///     try await serve(dal)                 // cancelled by SIGTERM or SIGINT
/// }
/// ```
///
/// From the first signal on, new calls are refused. Accepted calls are finished and synced to
/// disk, and the store is closed, within the deadline of the configuration. A second signal
/// ends that deadline at once: queued calls are refused, and closures that are still running
/// are abandoned.
///
/// Closures that block hold threads of Swift's tasks, of which there are as many as cores.
/// While they hold all of them, no task of the program can run, and ``run(_:)`` cannot return.
/// The store is shut down nevertheless. After a signal the closure `whenBlocked` is then
/// called, on a thread of its own. By default it ends the process:
///
/// ```swift
/// let reactor = AppStateReactor(dal)                          // exit status 1 if all threads are held
/// let patient = AppStateReactor(dal, whenBlocked: { _ in })   // waits until one of them is free
/// ```
///
/// Opening a store alone installs no signal handler. Use this in programs that have no service
/// group; with one, list the store as a service, and see
/// `ServiceGroup.runUntilTerminated(hurrying:)`.
public struct AppStateReactor: Sendable {
    private let dal: DataAccessLayer
    private let signals: [UnixSignal]
    private let logger: Logger
    private let whenBlocked: @Sendable (ShutdownReport) -> Void

    /// Makes a reactor.
    ///
    /// - Parameters:
    ///   - dal: The store to shut down.
    ///   - signals: The signals that stop the process.
    ///   - logger: Logs signals, and unfinished work.
    ///   - whenBlocked: Called with the report of the shutdown after a signal, at most once
    ///     and on a thread of its own, if ``run(_:)`` cannot return since closures hold all
    ///     threads of Swift's tasks. They must do so for one second after the shutdown if
    ///     closures of the store were left unfinished, and for five seconds if all of them
    ///     have ended. Before that, the logger logs at level `critical`. The closure must not
    ///     wait for tasks. By default it is ``endProcess(_:)``; with one that does nothing the
    ///     process waits until a thread is free.
    public init(
        _ dal: DataAccessLayer, signals: [UnixSignal] = [.sigterm, .sigint],
        logger: Logger = Logger(label: "skiathos.lifecycle"),
        whenBlocked: @escaping @Sendable (ShutdownReport) -> Void = AppStateReactor.endProcess
    ) {
        self.dal = dal
        self.signals = signals
        self.logger = logger
        self.whenBlocked = whenBlocked
    }

    /// Ends the process with exit status 1, and runs `atexit` handlers for at most a second.
    ///
    /// - Parameter report: The report of the shutdown; not used.
    public static func endProcess(_ report: ShutdownReport) {
        // Handlers may wait for resources that the blocked threads hold.
        DispatchQueue(label: "skiathos.exit").asyncAfter(deadline: .now() + .seconds(1)) {
            _exit(EXIT_FAILURE)
        }
        exit(EXIT_FAILURE)
    }

    /// Runs the work of the process until it ends or a signal comes, and shuts the store down.
    ///
    /// While closures hold all threads of Swift's tasks, the store is shut down nevertheless,
    /// and this is logged. The call can return only when a thread is free again; see
    /// `whenBlocked` of the initialiser.
    ///
    /// - Parameter work: The work; cancelled when the store was shut down after a signal, and
    ///   not awaited. Its calls of the store are refused from the signal on.
    /// - Returns: The report of the shutdown.
    /// - Throws: The error of the work if it ends by itself, after the store was shut down.
    @discardableResult
    public func run(
        _ work: @escaping @Sendable () async throws -> Void
    ) async throws -> ShutdownReport {
        let (ends, end) = AsyncStream.makeStream(of: End.self)
        let received = await StopSignals(trapping: signals, logger: logger)
        let pool = PoolWatch(logger, reaction: whenBlocked)
        let watching = Task(executorPreference: ShutdownExecutor.shared) { [dal] in
            await received.watch {
                end.yield(.stop)
                // Concurrent with the watch, which must receive the next signal meanwhile.
                Task(executorPreference: ShutdownExecutor.shared) {
                    let report = await dal.shutDown()
                    pool.begin(report.isClosed ? .seconds(5) : .seconds(1)) { report }
                }
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
            pool.end()
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
    ///
    /// ```swift
    /// try await dal.runUntilTerminated { try await serve(dal) }
    /// ```
    ///
    /// - Parameters:
    ///   - whenBlocked: Called if the store was shut down after a signal, but closures hold all threads of Swift's
    ///     tasks, so that this cannot return. By default the process ends with exit status 1; see
    ///     ``AppStateReactor/init(_:signals:logger:whenBlocked:)``.
    ///   - work: The work; cancelled when the store was shut down after a signal, and not
    ///   awaited.
    @discardableResult
    public func runUntilTerminated(
        whenBlocked: @escaping @Sendable (ShutdownReport) -> Void = AppStateReactor.endProcess,
        _ work: @escaping @Sendable () async throws -> Void
    ) async throws -> ShutdownReport {
        try await AppStateReactor(self, whenBlocked: whenBlocked).run(work)
    }
}
#endif
