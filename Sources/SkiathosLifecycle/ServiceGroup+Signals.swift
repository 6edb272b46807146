#if Lifecycle
public import Logging
public import ServiceLifecycle
public import SkiathosCore
public import UnixSignals

extension ServiceGroup {
    /// Runs the group until it ends or a signal stops it, and hurries the store at the second.
    ///
    /// ```swift
    /// let group = ServiceGroup(services: [dal, server], logger: logger)
    /// try await group.runUntilTerminated(hurrying: dal)
    /// ```
    ///
    /// - The first signal stops the services gracefully: accepted work is finished, and the
    ///   store, which is listed first, is closed last.
    /// - A further one ends the deadline of the store at once: queued calls are refused with
    ///   the code `closed`, running statements are interrupted, closures that are still
    ///   running are abandoned, and merged writes are synced to disk. The other services stop
    ///   as before, and sooner if they waited for the store.
    ///
    /// Closures that block hold threads of Swift's tasks. While they hold all of them, no
    /// service can stop. The store is then shut down without waiting for the others, and
    /// `whenBlocked` is called.
    ///
    /// Make the group without signals of its own, since it ignores a second one.
    ///
    /// - Parameters:
    ///   - dal: The store that one of the services closes, most often by being one itself.
    ///   - signals: The signals that stop the process.
    ///   - logger: Logs signals.
    ///   - whenBlocked: Called with the report of the store, at most once and on a thread of
    ///     its own, if no thread of Swift's tasks was free for as long as
    ///     `Configuration.shutdownDeadline`, at least a second, after the first signal, or for
    ///     a second after a further one. Before that, the logger logs at level `critical`. It
    ///     must not wait for tasks. By default it ends the process with exit status 1; with a
    ///     closure that does nothing the process waits until a thread is free.
    /// - Throws: What the group throws.
    public func runUntilTerminated(
        hurrying dal: DataAccessLayer, signals: [UnixSignal] = [.sigterm, .sigint],
        logger: Logger = Logger(label: "skiathos.lifecycle"),
        whenBlocked: @escaping @Sendable (ShutdownReport) -> Void = AppStateReactor.endProcess
    ) async throws {
        let received = await StopSignals(trapping: signals, logger: logger)
        let pool = PoolWatch(logger, reaction: whenBlocked)
        let watching = Task(executorPreference: ShutdownExecutor.shared) {
            await received.watch {
                pool.begin(max(dal.shutdownDeadline, .seconds(1))) {
                    await dal.shutDown(within: .zero)
                }
                await self.triggerGracefulShutdown()
            } further: {
                let report = await dal.shutDown(within: .zero)
                pool.begin(.seconds(1)) { report }
            }
        }
        defer {
            watching.cancel()
            pool.end()
        }
        try await run()
    }
}
#endif
