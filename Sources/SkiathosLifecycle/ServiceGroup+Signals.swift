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
    /// - The first signal stops the services in order: what they have accepted is done, and the
    ///   store, which is listed first, is closed last.
    /// - A further one has the deadline of the store pass at once: calls that wait for their turn are
    ///   turned away with the code `closed`, running statements are interrupted, closures that are
    ///   still running are left behind, and what was merged is brought to disk. The other services
    ///   stop as before, and sooner where they waited for the store.
    ///
    /// Closures that block hold threads of Swift's tasks. While they hold all of them, no service can
    /// stop. The store is shut down then without waiting for the others, and `whenBlocked` is called.
    ///
    /// Make the group without signals of its own, since it ignores a second one.
    ///
    /// - Parameters:
    ///   - dal: The store that one of the services closes, most often by being one itself.
    ///   - signals: Which signals tell the process to stop.
    ///   - logger: Is told of signals.
    ///   - whenBlocked: Called with the report of the store, at most once and on a thread of its own,
    ///     if no thread of Swift's tasks was free for as long as `Configuration.shutdownDeadline`, at
    ///     least a second, after the first signal, or for a second after a further one. The logger was told at level
    ///     `critical`. It must not wait for tasks. By default it ends the process with exit status 1;
    ///     a closure that does nothing has the process wait until a thread is free.
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
