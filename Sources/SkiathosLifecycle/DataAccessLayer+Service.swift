public import ServiceLifecycle
public import SkiathosCore

extension DataAccessLayer: Service {
    /// Waits for the graceful shutdown of the service group, and shuts down then, within the
    /// deadline of the configuration.
    ///
    /// A group stops its services in reverse order, so list the store first: it stops when nobody
    /// needs it any more. Give the group a longer deadline than the store. If the group cancels
    /// its services instead, the store is shut down all the same.
    ///
    /// ```swift
    /// let group = ServiceGroup(services: [dal, server], gracefulShutdownSignals: [.sigterm], logger: logger)
    /// try await group.run()
    /// ```
    ///
    /// - Throws: ``IncompleteShutdown`` if something was left undone.
    public func run() async throws {
        do {
            try await gracefulShutdown()
        } catch is CancellationError {
            // The group gives nobody more time; what was accepted is brought to disk even so.
        }
        let report = await shutDown()
        guard report.isComplete else { throw IncompleteShutdown(report: report) }
    }
}
