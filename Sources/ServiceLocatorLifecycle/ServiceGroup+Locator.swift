#if Lifecycle
public import Logging
public import ServiceLifecycle
public import ServiceLocator
import SkiathosLocks
public import UnixSignals

extension ServiceGroup {
    /// Makes a group of the services of a locator.
    ///
    /// ```swift
    /// let group = try await ServiceGroup(
    ///     locator: app, gracefulShutdownSignals: [.sigterm, .sigint],
    ///     maximumGracefulShutdownDuration: .seconds(25), logger: logger)
    /// try await group.run()
    /// try await app.close()
    /// ```
    ///
    /// The group stops the services. Closing the locator afterwards ends everything else.
    ///
    /// - Parameters:
    ///   - locator: The locator whose `ServiceLocator.services()` run, and stop in reverse
    ///   order.
    ///   - gracefulShutdownSignals: The signals of the system that stop the group.
    ///   - maximumGracefulShutdownDuration: How long services may take to stop before they are
    ///     cancelled, or nil for no limit.
    ///   - logger: The logger of the group.
    /// - Throws: `ServiceLocatorError` with code `verificationFailed` if something cannot be made.
    public init(
        locator: ServiceLocator, gracefulShutdownSignals: [UnixSignal] = [],
        maximumGracefulShutdownDuration: Duration? = nil, logger: Logger
    ) async throws {
        var configuration = ServiceGroupConfiguration(
            services: try await locator.services(),
            gracefulShutdownSignals: gracefulShutdownSignals, logger: logger)
        configuration.maximumGracefulShutdownDuration = maximumGracefulShutdownDuration?.waitable
        self.init(configuration: configuration)
    }
}
#endif
