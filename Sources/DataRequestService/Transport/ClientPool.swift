#if Requests
import AsyncHTTPClient
import DataRequestCore
import SkiathosLocks
import NIOCore
import NIOSSL
import Synchronization

/// The clients of a transport: one for each combination of pin set (or none) and route in use.
///
/// AsyncHTTPClient does not pass the host to the hook that checks pins, and would use a
/// connection that passed one check for a request that needs another.
final class ClientPool: Sendable {
    private struct Key: Hashable {
        /// The index of the set of pins.
        var pins: Int?
        var tunnel: AsyncHTTPTransport.Proxy.Server?
    }

    private struct State {
        var clients: [Key: HTTPClient] = [:]
        var isShutDown = false
    }

    /// The requests that wait for their connections.
    let departures: Departures
    private let state = Lock(State())
    private let configuration: HTTPClient.Configuration
    private let pins: [PinSet]

    init(
        configuration: HTTPClient.Configuration, pins: [PinSet], departures: Departures
    ) {
        self.departures = departures
        self.configuration = configuration
        self.pins = pins
    }

    // A client that is freed while it runs traps in debug builds. This shuts it down without
    // waiting; the client retains itself until it is done.
    deinit {
        for client in shutDown() { client.shutdown { _ in } }
    }

    /// The client whose connections meet the demand and take the route; made with its first
    /// use.
    func client(for demand: SecurityPolicy.Demand, by route: Route) throws -> HTTPClient {
        let index: Int? = if case .pinned(let index) = demand { index } else { nil }
        let key = Key(pins: index, tunnel: route.tunnel)
        return try state.withLock { state in
            guard !state.isShutDown else { throw ClientPool.shutDownError }
            if let client = state.clients[key] { return client }
            let client = HTTPClient(
                eventLoopGroup: HTTPClient.defaultEventLoopGroup,
                configuration: configuration.through(route.tunnel).checking(
                    index.map { PinCheck(pins[$0]) }, departures))
            state.clients[key] = client
            return client
        }
    }

    /// Refuses new requests and returns the clients, which the caller shuts down.
    func shutDown() -> [HTTPClient] {
        state.withLock { state in
            state.isShutDown = true
            defer { state.clients = [:] }
            return Array(state.clients.values)
        }
    }

    /// Whether the clients were returned for shutdown.
    var isShutDown: Bool { state.withLock { $0.isShutDown } }

    static var shutDownError: DataRequestError {
        DataRequestError(.shutDown, "The transport was shut down. Make a new service.")
    }
}

extension HTTPClient.Configuration {
    /// The settings that are the same for all hosts of a transport.
    init(tls: TLSConfiguration, configuration: AsyncHTTPTransport.Configuration) {
        self.init(tlsConfiguration: tls, redirectConfiguration: .disallow)
        timeout.connect = TimeAmount(configuration.connectLimit.waitable)
        connectionPool.idleTimeout = TimeAmount(configuration.idleConnectionLimit.waitable)
        connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = configuration.connectionsPerHost
        // Otherwise a wrong pin or certificate is silently retried until the connect limit.
        connectionPool.retryConnectionEstablishment = false
        httpVersion = configuration.versions == .http1 ? .http1Only : .automatic
        decompression = .disabled
        // Spans are the service's.
        tracing.tracer = nil
    }

    /// The same settings with a tunnel through a proxy, if there is one.
    fileprivate func through(_ tunnel: AsyncHTTPTransport.Proxy.Server?) -> Self {
        var copy = self
        copy.proxy = tunnel.map(HTTPClient.Configuration.Proxy.init)
        return copy
    }

    /// The same settings with hooks between the handshake and the first request.
    ///
    /// They check the pins, if there are some, and add the guard of the connection.
    fileprivate func checking(_ check: PinCheck?, _ departures: Departures) -> Self {
        var copy = self
        copy.http1_1ConnectionDebugInitializer = Self.hook { channel in
            try check?(on: channel)
            try ConnectionGuard.add(to: channel, departures)
        }
        copy.http2StreamChannelDebugInitializer = Self.hook {
            try ConnectionGuard.add(toStream: $0, departures)
        }
        // Both hooks are needed, otherwise an HTTP/2 server would bypass the check.
        copy.http2ConnectionDebugInitializer = Self.hook { channel in
            try check?(on: channel)
            try GoAwayWatcher.add(to: channel)
        }
        return copy
    }

    private static func hook(
        _ prepare: @escaping @Sendable (any Channel) throws -> Void
    ) -> @Sendable (any Channel) -> EventLoopFuture<Void> {
        { channel in
            let work: @Sendable () throws -> Void = {
                do {
                    try prepare(channel)
                } catch {
                    // The client drops a refused connection, but does not close it.
                    channel.close(promise: nil)
                    throw error
                }
            }
            guard channel.eventLoop.inEventLoop else { return channel.eventLoop.submit(work) }
            return channel.eventLoop.makeCompletedFuture(withResultOf: work)
        }
    }
}

extension PinCheck {
    /// Checks the certificate of a connection whose handshake is over.
    fileprivate func callAsFunction(on channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        try self(pipeline.handler(type: NIOSSLHandler.self).peerCertificate)
    }
}

extension HTTPClient.Configuration.Proxy {
    fileprivate init(_ proxy: AsyncHTTPTransport.Proxy.Server) {
        switch proxy.kind {
        case .socks5: self = .socksServer(host: proxy.host, port: proxy.port)
        case .http:
            let authorization = proxy.user.map {
                HTTPClient.Authorization.basic(username: $0, password: proxy.password)
            }
            self = .server(host: proxy.host, port: proxy.port, authorization: authorization)
        }
    }
}
#endif
