#if Lifecycle
public import Logging
public import ServiceLifecycle
public import SkiathosCore
public import UnixSignals

extension ServiceGroup {
    /// Runs the group until it ends or a signal stops it, and hurries the stores at the second.
    ///
    /// ```swift
    /// let group = ServiceGroup(services: [dal, server], logger: logger)
    /// try await group.runUntilTerminated(hurrying: dal)
    /// ```
    ///
    /// - The first signal stops the services gracefully: accepted work is finished, and the
    ///   stores, which are listed first, are closed last.
    /// - A further one ends the deadlines of the stores at once: queued calls are refused with
    ///   the code `closed`, running statements are interrupted, closures that are still
    ///   running are abandoned, and merged writes are synced to disk. The other services stop
    ///   as before, and sooner if they waited for a store.
    ///
    /// Closures that block hold threads of Swift's tasks. While they hold all of them, no
    /// service can stop. The stores are then shut down without waiting for the others, and
    /// `whenBlocked` is called.
    ///
    /// Make the group without signals of its own, since it ignores a second one.
    ///
    /// - Parameters:
    ///   - stores: The stores that services close, most often by being services themselves.
    ///   - signals: The signals that stop the process.
    ///   - logger: Logs signals.
    ///   - whenBlocked: Called with the reports of the stores, and with the services as work that
    ///     has not ended, at most once and on a thread of its own, if no thread of Swift's tasks
    ///     was free for as long as the longest `Configuration.shutdownDeadline` of the stores, at
    ///     least a second, after the first signal, or for a second after a further one. Before
    ///     that, the logger logs at level `critical`. It must not wait for tasks. By default it
    ///     ends the process with exit status 1; with a closure that does nothing the process
    ///     waits until a thread is free.
    /// - Throws: What the group throws.
    public func runUntilTerminated(
        hurrying stores: [DataAccessLayer], signals: [UnixSignal] = [.sigterm, .sigint],
        logger: Logger = Logger(label: "skiathos.lifecycle"),
        whenBlocked: @escaping @Sendable (ReactorReport) -> Void = AppStateReactor.endProcess
    ) async throws {
        let received = await UnixSignalsSequence.trapping(signals)
        let pool = PoolWatch(logger, reaction: whenBlocked)
        let watching = Task(executorPreference: ShutdownExecutor.shared) {
            var isFirst = true
            for await signal in received {
                logger.info("Stopping after \(signal)\(isFirst ? "" : ", at once").")
                if isFirst {
                    pool.begin(max(stores.shutdownDeadline, .seconds(1))) {
                        ReactorReport(stores: await stores.shutDownAtOnce(), workEnded: false)
                    }
                    await self.triggerGracefulShutdown()
                } else {
                    let reports = await stores.shutDownAtOnce()
                    pool.begin(.seconds(1)) { ReactorReport(stores: reports, workEnded: false) }
                }
                isFirst = false
            }
        }
        defer {
            watching.cancel()
            pool.end()
        }
        try await run()
    }

    /// Runs the group like the form that takes a list, and hurries the stores that are named.
    public func runUntilTerminated(
        hurrying stores: DataAccessLayer..., signals: [UnixSignal] = [.sigterm, .sigint],
        logger: Logger = Logger(label: "skiathos.lifecycle"),
        whenBlocked: @escaping @Sendable (ReactorReport) -> Void = AppStateReactor.endProcess
    ) async throws {
        try await runUntilTerminated(
            hurrying: stores, signals: signals, logger: logger, whenBlocked: whenBlocked)
    }
}
#endif
