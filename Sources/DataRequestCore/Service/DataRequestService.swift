#if RequestCore
import HTTPTypes
import SkiathosLocks
import Synchronization

/// Sends requests to a backend and decodes the answers.
///
/// ```swift
/// let service = try DataRequestService(environment: production, transport: transport)
/// let track = try await service.get("tracks/7", as: Track.self)
/// // GET https://api.example.com/v1/tracks/7
/// ```
///
/// Each call is an operation with a task of its own. The caller's task, a token, a time limit,
/// a switch of the environment or a shutdown can end it early. In each case the caller gets
/// the error at once.
public final class DataRequestService: Sendable {
    /// The defaults of the service, which a request may override.
    public let configuration: Configuration
    let registry: OperationRegistry
    let pipeline: Pipeline
    let retrying: RetryStep
    let makeTransport: (@Sendable (ServerEnvironment) throws -> any HTTPTransport)?
    let shutdown = Shutdown()
    let monitor: ReachabilityMonitor
    let environments = Broadcast<ServerEnvironment>(bufferSize: 16)
    /// Held while the environment is switched, so that switches are published in their order.
    let switching = Lock(())

    /// Makes a service whose environments share one transport.
    ///
    /// - Parameters:
    ///   - environment: The backend.
    ///   - transport: Sends the requests; shut down together with the service.
    ///   - configuration: What a service does unless a request says otherwise.
    /// - Throws: `DataRequestError` with code `invalidConfiguration` if the base URL is not an
    ///   absolute http or https address, or has a user, a query or a fragment.
    public convenience init(
        environment: ServerEnvironment, transport: any HTTPTransport,
        configuration: Configuration = Configuration()
    ) throws {
        let runtime = try EnvironmentRuntime(
            environment, transport: transport, ownsTransport: false,
            logger: configuration.logger)
        self.init(runtime: runtime, makeTransport: nil, configuration: configuration)
    }

    /// Makes a service with a transport for each environment.
    ///
    /// ```swift
    /// let service = try DataRequestService(environment: staging, configuration: configuration) {
    ///     AsyncHTTPTransport(security: policy(for: $0))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - environment: The backend to begin with.
    ///   - configuration: What a service does unless a request says otherwise.
    ///   - transport: Makes the transport of an environment; it is shut down after a switch,
    ///     when the last request of the environment has ended.
    /// - Throws: `DataRequestError` with code `invalidConfiguration` for a base URL that cannot be
    ///   used, and what the closure throws.
    public convenience init(
        environment: ServerEnvironment, configuration: Configuration = Configuration(),
        transport: @escaping @Sendable (ServerEnvironment) throws -> any HTTPTransport
    ) throws {
        _ = try BaseURL(environment.baseURL)
        let runtime = try EnvironmentRuntime(
            environment, transport: transport(environment), ownsTransport: true,
            logger: configuration.logger)
        self.init(runtime: runtime, makeTransport: transport, configuration: configuration)
    }

    private init(
        runtime: EnvironmentRuntime,
        makeTransport: (@Sendable (ServerEnvironment) throws -> any HTTPTransport)?,
        configuration: Configuration
    ) {
        self.configuration = configuration
        self.makeTransport = makeTransport
        let clock = ServiceClock(configuration.clock)
        registry = OperationRegistry(environment: runtime, clock: clock)
        retrying = RetryStep(
            policy: configuration.retry, random: configuration.random, clock: clock)
        monitor = ReachabilityMonitor(
            policy: configuration.reachability, clock: clock, environment: runtime)
        let prober = Prober()
        let reachability = ReachabilityStep(monitor: monitor) { await prober.probe() }
        pipeline = Pipeline(
            Pipeline.steps(
                for: configuration, retrying: retrying, reachability: reachability))
        prober.serve(self)
    }
}
#endif
