#if RequestCore
public import HTTPTypes

/// When a failed request is retried, and how long to wait before.
///
/// ```swift
/// configuration.retry = RetryPolicy(maximumAttempts: 5, baseDelay: .milliseconds(200))
/// let once = request.retrying(.never)
/// ```
///
/// A request is retried if its failure is transient, by ``statuses`` or ``codes``, and if it
/// may be repeated. That holds for requests whose method is idempotent (GET, HEAD, OPTIONS,
/// TRACE, PUT, DELETE; RFC 9110, 9.2.2) and those with an idempotency key. It also holds for
/// all requests whose connection could not be made, since nothing was sent then. A body that
/// can be read once is never sent twice.
///
/// The wait before attempt n + 1 is random between zero and
/// `min(maximumDelay, baseDelay * factor^(n - 1))`. A server's `Retry-After` is its lower
/// bound. A wait that would exceed the total limit of the request, or ``maximumWait``, is not
/// begun: the call fails.
public struct RetryPolicy: Sendable {
    /// The largest number of attempts; 1 never retries.
    public var maximumAttempts: Int
    /// The upper bound of the first wait.
    public var baseDelay: Duration
    /// The growth of the upper bound with each wait, at least 1.
    public var factor: Double
    /// The upper bound of any wait without a `Retry-After`.
    public var maximumDelay: Duration
    /// The longest `Retry-After` that is waited for; with a longer one the call fails.
    public var maximumRetryAfter: Duration
    /// The largest sum of all waits of one call.
    public var maximumWait: Duration
    /// The statuses after which another attempt may help.
    public var statuses: Set<Int> = [408, 429, 502, 503, 504]
    /// The errors after which another attempt may help.
    public var codes: Set<DataRequestError.Code> = [.connectionFailed, .connectionLost]

    /// Makes a policy.
    public init(
        maximumAttempts: Int = 3, baseDelay: Duration = .milliseconds(100), factor: Double = 2,
        maximumDelay: Duration = .seconds(10), maximumRetryAfter: Duration = .seconds(60),
        maximumWait: Duration = .seconds(120)
    ) {
        self.maximumAttempts = maximumAttempts
        self.baseDelay = baseDelay
        self.factor = factor
        self.maximumDelay = maximumDelay
        self.maximumRetryAfter = maximumRetryAfter
        self.maximumWait = maximumWait
    }

    /// Sends each request once.
    public static let never = RetryPolicy(maximumAttempts: 1)
    /// Three attempts, with waits of at most 100 and 200 ms.
    public static let standard = RetryPolicy()
}

extension DataRequest {
    /// Sets when the request is retried, in place of the service's configuration.
    public func retrying(_ policy: RetryPolicy) -> DataRequest {
        changed { $0.options.retry = policy }
    }

    /// Makes a request with a non-idempotent method repeatable, for servers that support the
    /// key.
    ///
    /// ```swift
    /// DataRequest(.post, "orders").idempotencyKey(order.id.uuidString)
    /// // Idempotency-Key: 6F9619FF-…
    /// ```
    public func idempotencyKey(_ key: String) -> DataRequest {
        header(.idempotencyKey, key)
    }
}

extension HTTPField.Name {
    /// The header `Idempotency-Key`, by which a server recognises a repeated request.
    public static var idempotencyKey: Self { .literal("Idempotency-Key") }

    /// A name that is written in the source, and is therefore known to be valid.
    package static func literal(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else {
            preconditionFailure("The header name \(name) is not a token; names in the source are.")
        }
        return name
    }
}
#endif
