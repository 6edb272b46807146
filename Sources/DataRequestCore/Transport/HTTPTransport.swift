#if RequestCore
/// Sends requests to a server and returns its responses.
///
/// A transport sends each request once and unchanged. It follows no redirects, retries
/// nothing, decompresses nothing and treats no status code as an error. The service does all
/// of that, so that it is the same for every transport. `AsyncHTTPTransport` is the transport
/// of this package; `RecordingTransport` answers from a script in tests.
///
/// Cancelling the task that waits for an answer, or that reads its body, ends the exchange.
public protocol HTTPTransport: Sendable {
    /// Sends one request and returns when the head of the response has arrived.
    ///
    /// - Parameter request: The request; its URL is absolute, and its headers are complete
    ///   except those that frame the body.
    /// - Throws: `DataRequestError` with the codes `connectionFailed`, `connectionLost`,
    ///   `untrusted`, `pinMismatch`, `timedOut` or `malformedResponse`, or `CancellationError`.
    ///   After `connectionFailed` the service sends a request of any method again, so a transport
    ///   throws it only if the server has not processed the request.
    func send(_ request: OutgoingRequest) async throws -> IncomingResponse

    /// Closes idle connections and refuses new requests; nothing is sent afterwards.
    func shutDown() async throws
}
#endif
