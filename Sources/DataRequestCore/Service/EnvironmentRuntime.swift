#if RequestCore
import SkiathosLocks
import Logging
import SkiathosPlatformFoundation
import Synchronization

/// An environment in use: its checked address, its transport and its credentials.
///
/// A call keeps the one that was current when it was admitted, so that no part of it is mixed
/// with parts of another.
final class EnvironmentRuntime: Sendable {
    /// Identifies the runtime, also among environments with equal values.
    let id = UUID()
    let environment: ServerEnvironment
    let base: BaseURL
    let transport: any HTTPTransport
    let credentials: EnvironmentCredentials
    /// Whether the transport belongs to this environment alone and ends with it.
    let ownsTransport: Bool
    private let logger: Logger
    private let isShutDown = Lock(false)

    /// Makes an environment in use.
    ///
    /// - Parameter service: The identity of the service, which its environments share.
    init(
        _ environment: ServerEnvironment, transport: any HTTPTransport, ownsTransport: Bool,
        logger: Logger, authorisation: (any Authoriser)? = nil, service: UUID = UUID()
    ) throws {
        self.environment = environment
        base = try BaseURL(environment.baseURL)
        self.transport = transport
        self.logger = logger
        self.ownsTransport = ownsTransport
        credentials = EnvironmentCredentials(authorisation, of: service)
    }

    /// Shuts down a transport of its own; called when no call is in flight any more.
    func retire() {
        guard ownsTransport else { return }
        Task {
            do { try await shutDownTransport() } catch {
                // No caller waits for this shutdown, so a failure is logged.
                logger.info(
                    "The transport of a previous environment could not be shut down.",
                    metadata: ["error.type": "\(type(of: error))"])
            }
        }
    }

    /// Shuts the transport down, once.
    func shutDownTransport() async throws {
        let isFirst = isShutDown.withLock { isShutDown in
            defer { isShutDown = true }
            return !isShutDown
        }
        if isFirst { try await transport.shutDown() }
    }
}
#endif
