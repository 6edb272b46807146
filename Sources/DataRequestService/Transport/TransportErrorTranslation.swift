#if Requests
import AsyncHTTPClient
import DataRequestCore
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import SkiathosPlatformLibC

/// Translates errors of the client, NIO and the system to errors of the service.
struct TransportErrorTranslation {
    /// The exchange that has failed.
    let exchange: ExchangeLabel

    /// Translates the error that has ended an exchange.
    ///
    /// Most errors do not tell whether they came before the request was sent or afterwards, so
    /// that `isUnsent` decides between `connectionFailed` and `connectionLost`.
    ///
    /// - Parameters:
    ///   - isUnsent: Whether the request was not yet written to a connection.
    ///   - isShutDown: Whether the transport was shut down.
    func translate(_ error: any Error, isUnsent: Bool, isShutDown: Bool) -> any Error {
        let translated = meaning(of: error, isShutDown: isShutDown)
        guard var result = translated as? DataRequestError else { return translated }
        result.isUnsent = isUnsent
        if isUnsent {
            guard result.code == .connectionLost else { return result }
            // A request that was not sent can be sent over another connection, whatever its
            // method.
            result.code = .connectionFailed
            result.message = "\(exchange) was not sent, as its connection was closed."
        } else if result.code == .connectionFailed, !provesUnprocessed(error) {
            // A request that was sent may have been processed, so that only an idempotent one
            // can be sent again.
            if error is RequestFeed.BodyFailure { result.cause = translated }
            result.code = .connectionLost
            result.message =
                "\(exchange) broke off after it was sent, so that the server may have processed it."
            result.retry = .later
        }
        return result
    }

    /// Whether the server has certainly not processed the request, although it was sent.
    private func provesUnprocessed(_ error: any Error) -> Bool {
        switch error {
        case let error as NIOHTTP2Errors.StreamClosed: error.errorCode == .refusedStream
        case is NIOHTTP2Errors.CreatedStreamAfterGoaway: true
        default: false
        }
    }

    /// The error of a request that has waited in the queue for too long.
    func waitedTooLong(_ limit: Duration, connections: Int) -> DataRequestError {
        var error = failure(
            .timedOut,
            "waited longer than \(limit) for a connection, as all were in use. Raise "
                + "connectionsPerHost, which is \(connections), or waitingLimit",
            retry: .later, HTTPClientError.getConnectionFromPoolTimeout)
        error.isUnsent = true
        return error
    }

    private func meaning(of error: any Error, isShutDown: Bool) -> any Error {
        switch error {
        case let error as RequestFeed.BodyFailure: error.cause
        case is CancellationError, is DataRequestError: error
        case let error as HTTPClientError: client(error, isShutDown: isShutDown)
        case let error as HTTPParserError: parser(error)
        case let error as NIOSSLError: tls(error)
        case let error as NIOSSLExtraError: otherName(error)
        // Also that of a record which cannot be read after the handshake.
        case let error as BoringSSLError: tls(.handshakeFailed(error))
        case is NIOConnectionError:
            failure(.connectionFailed, "found no server to connect to", retry: .later, error)
        case let error as ChannelError: channel(error)
        case let error as IOError: system(error)
        // The server has not processed such a request (RFC 9113, 8.7), nor has the client sent
        // one that it could not begin any more.
        case let error as NIOHTTP2Errors.StreamClosed where error.errorCode == .refusedStream:
            failure(
                .connectionFailed, "was refused by the server before it was processed",
                retry: .later, error)
        case is NIOHTTP2Errors.CreatedStreamAfterGoaway:
            failure(
                .connectionFailed, "was not sent, as its connection was ending", retry: .later,
                error)
        case is NIOHTTP2Errors.StreamClosed:
            failure(.connectionLost, "was ended by the server", retry: .later, error)
        case is any NIOHTTP2Error:
            failure(.malformedResponse, "got an answer that violates HTTP/2", error)
        default: failure(.connectionFailed, "failed", retry: .later, error)
        }
    }

    private func client(_ error: HTTPClientError, isShutDown: Bool) -> DataRequestError {
        switch error {
        case .connectTimeout, .tlsHandshakeTimeout, .socksHandshakeTimeout,
            .httpProxyHandshakeTimeout, .getConnectionFromPoolTimeout:
            failure(.timedOut, "made no connection within the connect limit", retry: .later, error)
        case .readTimeout, .writeTimeout, .deadlineExceeded:
            failure(.timedOut, "took longer than allowed", retry: .later, error)
        case .remoteConnectionClosed:
            failure(.connectionLost, "lost its connection", retry: .later, error)
        case .alreadyShutdown: ClientPool.shutDownError
        case .cancelled, .requestStreamCancelled:
            // While the client runs, this is the error of a request whose connection was
            // closed between its choice and its use.
            isShutDown
                ? ClientPool.shutDownError
                : failure(.connectionLost, "lost its connection", retry: .later, error)
        case .invalidProxyResponse: failure(.connectionFailed, "was refused by the proxy", error)
        case .proxyAuthenticationRequired:
            failure(
                .connectionFailed,
                "was refused by the proxy, which requires credentials. Configure valid ones",
                error)
        case .bodyLengthMismatch:
            failure(.invalidBody, "has a body of another length than announced", error)
        case .traceRequestWithBody:
            failure(.invalidBody, "has a body, which TRACE may not have", error)
        default:
            // Not as the cause: some of these errors contain header values.
            failure(.connectionFailed, "could not be sent (\(error.shortDescription))", nil)
        }
    }

    private func parser(_ error: HTTPParserError) -> DataRequestError {
        switch error {
        case .invalidEOFState, .closedConnection:
            failure(.connectionLost, "lost its connection before the end", retry: .later, error)
        case .headerOverflow:
            failure(.malformedResponse, "got an answer with headers that are too large", error)
        default: failure(.malformedResponse, "was not answered in HTTP", error)
        }
    }

    private func tls(_ error: NIOSSLError) -> DataRequestError {
        switch error {
        case .unableToValidateCertificate, .noCertificateToValidate:
            failure(.untrusted, "found a certificate that is not trusted", error)
        case .uncleanShutdown:
            failure(.connectionLost, "lost its connection before the end", retry: .later, error)
        case .handshakeFailed(let reason):
            handshake(String(describing: reason), error)
        default: failure(.connectionFailed, "failed in TLS", error)
        }
    }

    private func otherName(_ error: NIOSSLExtraError) -> DataRequestError {
        var meaning = failure(.untrusted, "found a certificate for another name", error)
        if error == .failedToValidateHostname { meaning.certificateProblem = .wrongHost }
        return meaning
    }

    private func handshake(_ reason: String, _ error: NIOSSLError) -> DataRequestError {
        if reason.has(text: "CERTIFICATE_VERIFY_FAILED") {
            return failure(.untrusted, "found a certificate that is not trusted", error)
        }
        // A server that closes the connection during the handshake may come back; a refusal is
        // permanent.
        let isEnd = reason.has(text: "EOF during handshake")
        return failure(
            .connectionFailed, "failed in the TLS handshake with the server",
            retry: isEnd ? .later : .no, error)
    }

    private func channel(_ error: ChannelError) -> DataRequestError {
        if case .connectTimeout = error {
            return failure(
                .timedOut, "made no connection within the connect limit", retry: .later, error)
        }
        return failure(.connectionLost, "lost its connection", retry: .later, error)
    }

    private func system(_ error: IOError) -> DataRequestError {
        // On an established connection they are the end of retransmissions, which `translate`
        // tells apart.
        let beforehand = [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, ENETDOWN, EADDRNOTAVAIL]
        if beforehand.contains(error.errnoCode) {
            return failure(
                .connectionFailed, "found no server to connect to", retry: .later, error)
        }
        return failure(.connectionLost, "lost its connection", retry: .later, error)
    }

    private func failure(
        _ code: DataRequestError.Code, _ what: String, retry: DataRequestError.Retry = .no,
        _ cause: (any Error)?
    ) -> DataRequestError {
        DataRequestError(code, "\(exchange) \(what).", retry: retry, cause: cause)
    }
}
#endif
