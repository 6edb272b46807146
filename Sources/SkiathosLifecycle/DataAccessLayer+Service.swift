#if Lifecycle
public import ServiceLifecycle
public import SkiathosCore

extension DataAccessLayer: Service {
    /// Runs until the graceful shutdown of the service group, and then shuts down the store.
    ///
    /// The shutdown has the deadline of the configuration.
    ///
    /// A group stops its services in reverse order, so list the store first: it stops when no
    /// other service needs it any more. Give the group a longer deadline than the store. If
    /// the group cancels its services instead, the store is shut down nevertheless. A call of
    /// `shutDown(within:)` with an earlier deadline, made before or meanwhile, shortens it.
    ///
    /// ```swift
    /// let group = ServiceGroup(services: [dal, server], gracefulShutdownSignals: [.sigterm], logger: logger)
    /// try await group.run()
    /// ```
    ///
    /// - Throws: ``IncompleteShutdown`` if the shutdown could not finish everything.
    public func run() async throws {
        do {
            try await gracefulShutdown()
        } catch is CancellationError {
            // The group gives its services no more time; accepted writes are still synced to
            // disk.
        }
        let report = await shutDown()
        guard report.isComplete else { throw IncompleteShutdown(report: report) }
    }
}
#endif
