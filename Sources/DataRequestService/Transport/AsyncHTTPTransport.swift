#if Requests
import AsyncHTTPClient
public import DataRequestCore
import NIOCore
import NIOHTTP1
import SkiathosLocks
import SkiathosPlatformFoundation

/// Sends requests with AsyncHTTPClient: HTTP/1.1 and HTTP/2, pooled connections, TLS and pins.
///
/// ```swift
/// let transport = try AsyncHTTPTransport(security: SecurityPolicy(minimumTLS: .v13))
/// let service = try DataRequestService(environment: production, transport: transport)
/// ```
///
/// It sends each request once: a connection that cannot be made is an error at once, which the
/// service may retry. Hosts with pins have connections of their own, so that no request to
/// them ever uses one whose key was not checked. A transport that is dropped without
/// `shutDown()` closes its connections when its last answer is read or dropped.
public final class AsyncHTTPTransport: HTTPTransport {
    /// Which servers are trusted.
    public let security: SecurityPolicy
    let clients: ClientPool
    private let waitingLimit: Duration
    private let continueLimit: Duration
    private let connectionsPerHost: Int
    private let proxy: Proxy?
    private let probe: CertificateProbe

    /// Makes a transport; nothing is connected yet.
    ///
    /// - Parameters:
    ///   - security: Which servers are trusted; its files are read now.
    ///   - configuration: How connections are made and kept.
    /// - Throws: `invalidPolicy` if a certificate or key cannot be read, or a limit is out of its
    ///   range.
    public init(
        security: SecurityPolicy = SecurityPolicy(), configuration: Configuration = Configuration()
    ) throws {
        try configuration.check()
        self.security = security
        waitingLimit = configuration.waitingLimit
        continueLimit = configuration.continueLimit
        connectionsPerHost = configuration.connectionsPerHost
        proxy = configuration.proxy
        probe = CertificateProbe(
            minimumTLS: security.minimumTLS, limit: configuration.connectLimit.waitable)
        clients = ClientPool(
            configuration: HTTPClient.Configuration(
                tls: try security.checkedConfiguration(), configuration: configuration),
            pins: security.pins, departures: Departures(width: configuration.connectionsPerHost))
    }

    /// Sends one request and returns when the head of the response has arrived.
    public func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
        try Task.checkCancellation()
        let (client, route) = try DataRequestError.beforeSending {
            try self.client(for: request.url)
        }
        let label = ExchangeLabel(request, by: route)
        let start = ContinuousClock.now
        request.onWaiting?(true)
        let endpoint = Departures.Endpoint(route.connection(to: request.url))
        let number = try await clients.departures.enter(
            endpoint, within: waitingLimit, late: waitedTooLong(label)
        ) { request.onWaiting?(false) }
        let expectation = Expectation(request)
        let feed = try feed(for: request, number, awaiting: expectation)
        do {
            var outgoing = HTTPClientRequest(request, feed: feed)
            outgoing.headers.replaceOrAdd(name: Departures.header, value: String(number))
            outgoing.apply(route, to: request.url)
            let response = try await execute(outgoing, by: client, since: start, label)
            clients.departures.forget(number)
            // A server that answers with an error, without a 100 before, does not want the
            // body any more.
            expectation?.settle(isWanted: response.status.code < 300)
            let exchange = Exchange(body: response.body, feed: feed, label: label, clients: clients)
            return try response.incoming(exchange, request: request)
        } catch {
            let isUnsent = clients.departures.forget(number)
            feed?.cancel()
            let meaning = TransportErrorTranslation(exchange: label).translate(
                error, isUnsent: isUnsent, isShutDown: clients.isShutDown)
            guard let refusal = meaning as? DataRequestError, refusal.code == .untrusted else {
                throw meaning
            }
            throw await probe.explaining(refusal, of: label, at: request.url, by: route)
        }
    }

    /// The feed of the body to the client, which waits if the request expects a 100.
    private func feed(
        for request: OutgoingRequest, _ number: Int, awaiting expectation: Expectation?
    ) throws -> RequestFeed? {
        do {
            let feed = try RequestFeed(request.body, awaiting: expectation, within: continueLimit)
            if let expectation { clients.departures.hold(number, by: expectation) }
            return feed
        } catch {
            clients.departures.forget(number)
            throw error
        }
    }

    /// Sends a request, and repeats this while all connections are in use.
    ///
    /// The client has one limit for making a connection and for waiting for one. It reports
    /// which of both has passed. A waiting request was not sent, so it can be passed to the
    /// client again.
    private func execute(
        _ request: HTTPClientRequest, by client: HTTPClient, since start: ContinuousClock.Instant,
        _ label: ExchangeLabel
    ) async throws -> HTTPClientResponse {
        while true {
            do {
                return try await client.execute(request, deadline: .distantFuture)
            } catch let error as HTTPClientError where error == .getConnectionFromPoolTimeout {
                guard start.duration(to: .now) < waitingLimit else {
                    throw waitedTooLong(label)
                }
            }
        }
    }

    private func waitedTooLong(_ label: ExchangeLabel) -> DataRequestError {
        TransportErrorTranslation(exchange: label)
            .waitedTooLong(waitingLimit, connections: connectionsPerHost)
    }

    /// Closes all connections, and refuses later requests with `shutDown`.
    ///
    /// Requests in flight fail with `shutDown`; wait for them before.
    public func shutDown() async throws {
        for client in clients.shutDown() { try await client.shutdown() }
    }

    private func client(for url: URL) throws -> (HTTPClient, Route) {
        guard let host = url.host(percentEncoded: false), !host.isEmpty else {
            throw DataRequestError(
                .connectionFailed, "Expected an absolute address with a host to send a request to.")
        }
        guard url.checkedPort != nil else {
            throw DataRequestError(
                .connectionFailed,
                "Expected no port or one from 1 to 65535 in the address of a request to \(host).")
        }
        let isTLS: Bool
        switch url.scheme?.lowercased() {
        case "https": isTLS = true
        case "http": isTLS = false
        default:
            throw DataRequestError(
                .connectionFailed,
                "Expected an address with the scheme https or http at \(host), found "
                    + "\(url.scheme ?? "none").")
        }
        let demand = try security.demand(host: host, isTLS: isTLS, now: Date())
        let route = Route(to: url, isTLS: isTLS, by: proxy)
        if !isTLS, let proxy = route.proxy { try security.checkCleartext(to: host, through: proxy) }
        return (try clients.client(for: demand, by: route), route)
    }
}
#endif
