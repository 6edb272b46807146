#if RequestCore
public import HTTPTypes
public import SkiathosPlatformFoundation

/// A request as it passes through the interceptors to the transport.
public struct OutgoingRequest: Sendable {
    /// The method, such as `.get`.
    public var method: HTTPRequest.Method
    /// The absolute address.
    public var url: URL
    /// The headers; those of the body's type and length are added below the interceptors.
    public var headers: HTTPFields
    /// The body, which may be streamed.
    public var body: RequestBody
    /// How the steps handle the request; not sent.
    public var options: RequestOptions

    /// Called by a transport with true when the request waits for a connection, and false when
    /// it is sent.
    ///
    /// The response limit does not run while the request waits.
    package var onWaiting: (@Sendable (_ isWaiting: Bool) -> Void)?

    /// Whether the cache has made the request conditional, with the validators of the answer that
    /// it has for this address; not sent.
    var hasConditionsOfCache = false

    /// Makes a request.
    public init(
        method: HTTPRequest.Method = .get, url: URL, headers: HTTPFields = [:],
        body: RequestBody = .none, options: RequestOptions = RequestOptions()
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.options = options
    }
}

/// The head of an answer and the stream of its body.
public struct IncomingResponse: Sendable {
    /// The address that answered, which after redirects is not the requested one.
    public var url: URL
    /// The status, such as 200.
    public var status: HTTPResponse.Status
    /// The headers as received.
    public var headers: HTTPFields
    /// The body, which can be read once.
    public var body: ByteStream
    /// The encoding that was removed from the body; nil if there was none.
    public var decodedContent: DecodedContent?

    /// Makes an answer.
    public init(
        url: URL, status: HTTPResponse.Status, headers: HTTPFields = [:],
        body: ByteStream = .empty
    ) {
        self.url = url
        self.status = status
        self.headers = headers
        self.body = body
    }
}
#endif
