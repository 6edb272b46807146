#if Requests
import AsyncHTTPClient
public import DataRequestCore
import NIOCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Carries requests with AsyncHTTPClient: HTTP/1.1 and HTTP/2, kept connections, TLS and pins.
///
/// ```swift
/// let transport = try AsyncHTTPTransport(security: SecurityPolicy(minimumTLS: .v13))
/// let service = try DataRequestService(environment: production, transport: transport)
/// ```
///
/// It sends each request once: a connection that cannot be made is an error at once, which the
/// service's retries then see. Hosts with pins have connections of their own, so that no request
/// to them ever takes one whose key was not checked. A transport that is dropped without
/// `shutDown()` closes its connections when its last answer is read or dropped.
public final class AsyncHTTPTransport: HTTPTransport {
    /// Which servers are trusted.
    public let security: SecurityPolicy
    let clients: ClientPool

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
        guard configuration.connectLimit > .zero, configuration.idleConnectionLimit > .zero,
            configuration.connectionsPerHost > 0
        else {
            throw DataRequestError(
                .invalidPolicy,
                "Expected limits of connections above zero, found connectLimit "
                    + "\(configuration.connectLimit), idleConnectionLimit "
                    + "\(configuration.idleConnectionLimit), connectionsPerHost "
                    + "\(configuration.connectionsPerHost).")
        }
        self.security = security
        clients = ClientPool(
            configuration: HTTPClient.Configuration(
                tls: try security.checkedConfiguration(), configuration: configuration),
            pins: security.pins)
    }

    /// Sends one request and returns when the head of the answer is there.
    public func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
        try Task.checkCancellation()
        let client = try client(for: request.url)
        let feed = try RequestFeed(request.body)
        do {
            let response = try await client.execute(
                HTTPClientRequest(request, feed: feed), deadline: .distantFuture)
            let exchange = Exchange(
                body: response.body, feed: feed, place: ExchangePlace(request), clients: clients)
            return try response.incoming(exchange, request: request)
        } catch {
            feed?.cancel()
            throw ExchangePlace(request).error(for: error)
        }
    }

    /// Closes all connections, and refuses what comes after with `shutDown`.
    ///
    /// Requests under way fail with `shutDown`; wait for them before.
    public func shutDown() async throws {
        for client in clients.shutDown() { try await client.shutdown() }
    }

    private func client(for url: URL) throws -> HTTPClient {
        guard let host = url.host(percentEncoded: false), !host.isEmpty else {
            throw DataRequestError(
                .connectionFailed, "Expected an absolute address with a host to send a request to.")
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
        return try clients.client(for: security.demand(host: host, isTLS: isTLS, now: Date()))
    }
}
#endif
