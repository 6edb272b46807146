#if RequestCore
import SkiathosLocks
import Synchronization

extension DataRequestService {
    /// What happens to calls in flight when the environment is switched.
    public enum InFlightCalls: Sendable {
        /// They fail with `environmentChanged` at once.
        case cancel
        /// They finish against the environment that they began with: with its base URL, its
        /// transport and its credentials, also in further attempts and refreshes.
        case finish
    }

    /// The environment that calls go to from now on.
    public var environment: ServerEnvironment { registry.environment.environment }

    /// The environments that are switched to, from now on.
    ///
    /// ```swift
    /// for await environment in service.environmentChanges { show(environment.name) }
    /// ```
    ///
    /// Each access gives a stream of its own, which buffers the newest 16 and ends when the
    /// service is shut down.
    public var environmentChanges: AsyncStream<ServerEnvironment> { environments.listen() }

    /// Sends later calls to another environment.
    ///
    /// ```swift
    /// try service.switchEnvironment(to: staging, inFlight: .cancel)
    /// ```
    ///
    /// The new environment takes over nothing from the old one: without new credentials, calls
    /// carry none. Its transport, if it has one of its own, is shut down when its last call
    /// has ended.
    ///
    /// - Parameters:
    ///   - environment: Where calls go.
    ///   - inFlight: What happens to those that run.
    ///   - authorisation: The credentials for the new environment.
    /// - Throws: `DataRequestError` with code `invalidConfiguration` for a base URL that cannot be
    ///   used, `shutDown`, and what the closure throws that makes the transport; the environment
    ///   is then as before.
    public func switchEnvironment(
        to environment: ServerEnvironment, inFlight: InFlightCalls = .finish,
        authorisation: (any Authoriser)? = nil
    ) throws {
        _ = try BaseURL(environment.baseURL)
        let current = registry.environment
        let transport = try makeTransport?(environment) ?? current.transport
        let next = try EnvironmentRuntime(
            environment, transport: transport, ownsTransport: makeTransport != nil,
            logger: configuration.logger, authorisation: authorisation,
            service: current.credentials.service)
        let stopped: [RequestOperation]
        do {
            // Published within the lock, so that listeners see the order of the switches.
            stopped = try switching.withLock { _ in
                let stopped = try registry.replaceEnvironment(by: next)
                monitor.reset(to: next)
                environments.publish(environment)
                return stopped
            }
        } catch {
            next.retire()
            throw error
        }
        guard case .cancel = inFlight else { return }
        for operation in stopped { operation.stop(.environmentChanged) }
    }
}
#endif
