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
    /// - A further one ends the patience: calls that wait for their turn at the store are turned
    ///   away with the code `closed`, running statements are interrupted, and what was merged is
    ///   brought to disk. The other services stop as before, and sooner where they waited for the
    ///   store.
    ///
    /// Make the group without signals of its own: it takes no notice of a second one.
    ///
    /// - Parameters:
    ///   - dal: The store that one of the services closes, most often by being one itself.
    ///   - signals: Which signals tell the process to stop.
    ///   - logger: Is told of signals.
    /// - Throws: What the group throws.
    public func runUntilTerminated(
        hurrying dal: DataAccessLayer, signals: [UnixSignal] = [.sigterm, .sigint],
        logger: Logger = Logger(label: "skiathos.lifecycle")
    ) async throws {
        let received = await StopSignals(trapping: signals, logger: logger)
        let watching = Task(executorPreference: ShutdownExecutor.shared) {
            await received.watch {
                await self.triggerGracefulShutdown()
            } further: {
                await dal.shutDown(within: .zero)
            }
        }
        defer { watching.cancel() }
        try await run()
    }
}
