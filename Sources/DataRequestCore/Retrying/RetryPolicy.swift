#if RequestCore
public import HTTPTypes

/// When a request that failed is tried again, and how long to wait before.
///
/// ```swift
/// configuration.retry = RetryPolicy(maximumAttempts: 5, baseDelay: .milliseconds(200))
/// let once = request.retrying(.never)
/// ```
///
/// Tried again is what failed in a way that may pass, by ``statuses`` or ``codes``, and may be
/// repeated without harm: requests whose method is idempotent (GET, HEAD, OPTIONS, TRACE, PUT,
/// DELETE; RFC 9110, 9.2.2), those with an idempotency key, and all whose connection could not be
/// made, as nothing was sent then. A body that can be read once is never sent twice.
///
/// The wait before attempt n + 1 is chosen at random between zero and
/// `min(maximumDelay, baseDelay * factor^(n - 1))`; a server's `Retry-After` is a lower bound of
/// it. A wait that would not end within the total limit of the request, or go beyond
/// ``maximumWait``, is not begun: the failure stands.
public struct RetryPolicy: Sendable {
    /// How often a request is sent at most; 1 never tries again.
    public var maximumAttempts: Int
    /// The upper bound of the first wait.
    public var baseDelay: Duration
    /// By how much the upper bound grows with each wait, at least 1.
    public var factor: Double
    /// The upper bound of any wait that no server has asked for.
    public var maximumDelay: Duration
    /// The longest `Retry-After` that is waited for; after a longer one the failure stands.
    public var maximumRetryAfter: Duration
    /// How long all waits of one call may be together.
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
    /// Sets when the request is tried again, in the place of what the service is configured to do.
    public func retrying(_ policy: RetryPolicy) -> DataRequest {
        changed { $0.options.retry = policy }
    }

    /// Makes a request repeatable whose method is not, for servers that know the key.
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
    /// The header `Idempotency-Key`, by which a server knows a repeated request.
    public static var idempotencyKey: Self { .make("Idempotency-Key") }

    /// A name that is known to be valid.
    static func make(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else {
            preconditionFailure("The header name \(name) is not a token; names in the source are.")
        }
        return name
    }
}
#endif
