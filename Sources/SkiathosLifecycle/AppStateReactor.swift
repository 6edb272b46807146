#if Lifecycle
internal import Dispatch
internal import Foundation
public import Logging
public import SkiathosCore
public import UnixSignals

/// Stops the work of a process and shuts its stores down in order when the process gets a stop
/// signal: the app-state reactor.
///
/// ```swift
/// let report = try await AppStateReactor(dal).run {
///     try await serve(dal)                 // cancelled by SIGTERM or SIGINT
/// }
/// ```
///
/// The first signal cancels the task of the work, which may still read and write. When it has
/// ended, or three quarters of the deadline have passed, the stores are shut down: new calls are
/// refused, accepted ones are finished and synced to disk, and the files are closed. A second
/// signal ends the deadline at once: queued calls are refused, and work and closures that are
/// still running are abandoned.
///
/// A cancelled task cannot wait for a read or write of its own: `await dal.write` throws a
/// `CancellationError`, and nothing of it is done. The last writes of the work use what
/// cancelling does not reach, `enqueue` or another task:
///
/// ```swift
/// try await AppStateReactor(dal).run {
///     defer { dal.enqueue { try Visit.create(in: $0) { $0.page = "the last" } } }
///     try await serve(dal)
/// }
/// ```
///
/// Several stores are shut down one after the other, the last of the list first:
///
/// ```swift
/// let reactor = AppStateReactor(accounts, search, flushSignals: [.sigusr1])
/// try await reactor.run { try await serve(accounts, search) }   // kill -USR1 flushes both stores
/// ```
///
/// Closures that block hold threads of Swift's tasks, of which there are as many as cores.
/// While they hold all of them, no task of the program can run, and ``run(_:)`` cannot return.
/// The stores are shut down nevertheless. After a signal the closure `whenBlocked` is then
/// called, on a thread of its own. By default it ends the process:
///
/// ```swift
/// let reactor = AppStateReactor(dal)                          // exit status 1 if all threads are held
/// let patient = AppStateReactor(dal, whenBlocked: { _ in })   // waits until one of them is free
/// ```
///
/// Opening a store alone installs no signal handler. Use this in programs that have no service
/// group; with one, list the stores as services, and see
/// `ServiceGroup.runUntilTerminated(hurrying:)`.
public struct AppStateReactor: Sendable {
    let stores: [DataAccessLayer]
    let deadline: Duration
    let signals: [UnixSignal]
    let flushSignals: [UnixSignal]
    let logger: Logger
    let whenBlocked: @Sendable (ReactorReport) -> Void

    /// Makes a reactor of one store or of several.
    ///
    /// - Parameters:
    ///   - stores: The stores to shut down. A store that closures of another one use is listed
    ///     before that: the last is shut down first. Each may take an equal share of the time
    ///     that is left when its turn comes.
    ///   - deadline: The time from the request to stop until the stores are closed, at least 0.
    ///     The work may take three quarters of it. By default, the longest
    ///     `Configuration.shutdownDeadline` of the stores. What remains to be done when it has
    ///     passed takes at most a fifth more, or half a second for each store.
    ///   - signals: The signals that stop the process.
    ///   - flushSignals: The signals after which the stores are flushed, so that all writes that
    ///     were accepted are durable, and the work continues. A failure is logged. Signals that
    ///     come during a flush share the next one. A signal that is in `signals` too stops.
    ///   - logger: Logs signals, unfinished work, and failures of a flush.
    ///   - whenBlocked: Called with the report after a signal or ``AppState/terminating``, at most
    ///     once and on a thread of its own, if ``run(_:)`` cannot return since closures hold all threads of Swift's
    ///     tasks. They must do so for one second after the shutdown if closures of a store were
    ///     left unfinished, and for five seconds if all of them have ended. Before that, the
    ///     logger logs at level `critical`. The closure must not wait for tasks. By default it
    ///     is ``endProcess(_:)``; with one that does nothing the process waits until a thread is
    ///     free.
    public init(
        _ stores: [DataAccessLayer], deadline: Duration? = nil,
        signals: [UnixSignal] = [.sigterm, .sigint], flushSignals: [UnixSignal] = [],
        logger: Logger = Logger(label: "skiathos.lifecycle"),
        whenBlocked: @escaping @Sendable (ReactorReport) -> Void = AppStateReactor.endProcess
    ) {
        self.stores = stores
        self.deadline = deadline ?? stores.shutdownDeadline
        self.signals = signals
        self.flushSignals = flushSignals
        self.logger = logger
        self.whenBlocked = whenBlocked
    }

    /// Makes a reactor of the stores that are named; with the same parameters.
    public init(
        _ stores: DataAccessLayer..., deadline: Duration? = nil,
        signals: [UnixSignal] = [.sigterm, .sigint], flushSignals: [UnixSignal] = [],
        logger: Logger = Logger(label: "skiathos.lifecycle"),
        whenBlocked: @escaping @Sendable (ReactorReport) -> Void = AppStateReactor.endProcess
    ) {
        self.init(
            stores, deadline: deadline, signals: signals, flushSignals: flushSignals,
            logger: logger, whenBlocked: whenBlocked)
    }

    /// Ends the process with exit status 1, and runs `atexit` handlers for at most a second.
    ///
    /// - Parameter report: The report of the shutdown; not used.
    public static func endProcess(_ report: ReactorReport) {
        // Handlers may wait for resources that the blocked threads hold.
        DispatchQueue(label: "skiathos.exit").asyncAfter(deadline: .now() + .seconds(1)) {
            _exit(EXIT_FAILURE)
        }
        exit(EXIT_FAILURE)
    }

    /// Runs the work of the process until it ends or a signal comes, and shuts the stores down.
    ///
    /// While closures hold all threads of Swift's tasks, the stores are shut down nevertheless,
    /// and this is logged. The call can return only when a thread is free again; see
    /// `whenBlocked` of the initialiser.
    ///
    /// - Parameter work: The work. A signal, or cancelling the task of the caller, cancels it;
    ///   there is no graceful shutdown of a service group to observe. It may use the stores
    ///   until it has ended, or for three quarters of the deadline. Then its calls are refused,
    ///   and it is not awaited any longer.
    /// - Returns: The report of the work and the stores. An error that the work throws after it
    ///   was cancelled is in there.
    /// - Throws: The error of the work if it ends by itself, after the stores were shut down.
    @discardableResult
    public func run(
        _ work: @escaping @Sendable () async throws -> Void
    ) async throws -> ReactorReport {
        try await RunningReactor(self).run(following: { _ in }, work)
    }

    /// Runs the work like ``run(_:)``, and follows the states of an app as well as signals.
    ///
    /// ```swift
    /// try await AppStateReactor(dal).run(following: states) { try await serve(dal) }
    /// // .inactive and .background flush the store, .terminating stops as SIGTERM does
    /// ```
    ///
    /// - Parameters:
    ///   - states: The states of the app. The end of the sequence means nothing, and its error is
    ///     logged.
    ///   - work: The work; see ``run(_:)``.
    /// - Returns: The report of the work and the stores.
    /// - Throws: The error of the work if it ends by itself, after the stores were shut down.
    @discardableResult
    public func run<States: AsyncSequence & Sendable>(
        following states: States, _ work: @escaping @Sendable () async throws -> Void
    ) async throws -> ReactorReport where States.Element == AppState {
        try await RunningReactor(self).run(
            following: { react in for try await state in states { react(state) } }, work)
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
    ///     ``AppStateReactor``.
    ///   - work: The work. A signal cancels it; it may use the store until it has ended, or for
    ///     three quarters of `Configuration.shutdownDeadline`.
    /// - Returns: The report of the work and the store.
    /// - Throws: The error of the work if it ends by itself, after the store was shut down.
    @discardableResult
    public func runUntilTerminated(
        whenBlocked: @escaping @Sendable (ReactorReport) -> Void = AppStateReactor.endProcess,
        _ work: @escaping @Sendable () async throws -> Void
    ) async throws -> ReactorReport {
        try await AppStateReactor(self, whenBlocked: whenBlocked).run(work)
    }
}
#endif
