#if RequestCore
/// What carries requests to a server and brings its answers back.
///
/// A transport sends each request once, as it is given: it follows no redirects, tries nothing
/// again, decompresses nothing and treats no status code as an error. All of that is the
/// service's, so that it is alike over every transport. `AsyncHTTPTransport` is the one that
/// ships; `RecordingTransport` answers from a script in tests.
///
/// Cancelling the task that waits for an answer, or that reads its body, ends the exchange.
public protocol HTTPTransport: Sendable {
    /// Sends one request and returns when the head of the answer is there.
    ///
    /// - Parameter request: What is to be sent; its URL is absolute, and its headers are complete
    ///   but for those that frame the body.
    /// - Throws: `DataRequestError` with the codes `connectionFailed`, `connectionLost`,
    ///   `untrusted`, `pinMismatch`, `timedOut` or `malformedResponse`, or `CancellationError`.
    func send(_ request: OutgoingRequest) async throws -> IncomingResponse

    /// Closes idle connections and refuses new requests; nothing is sent afterwards.
    func shutDown() async throws
}
#endif
