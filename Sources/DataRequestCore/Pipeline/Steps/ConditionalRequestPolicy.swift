#if RequestCore
/// Bounds of the cache of responses for conditional requests.
///
/// ```swift
/// configuration.conditionalRequests = ConditionalRequestPolicy(maximumSize: 8 << 20)
/// ```
///
/// With a policy, responses with status 200 and a validator to GET requests to the base host
/// are cached in memory. Each request is sent with `If-None-Match` or `If-Modified-Since`.
/// When the server answers 304, the caller gets the cached body with status 200 and the newer
/// headers, which may end the caching. No response is served without revalidation, and a redirect
/// is followed without the validators, which belong to the address that was asked.
///
/// The cache key is the address, the environment, the credentials, `Accept-Encoding` and the
/// headers that `Vary` names. Each refresh makes new credentials, and so does each change of
/// ``Authoriser/revision``, as when ``BearerAuthoriser/token`` is set. Not cached: responses
/// with `no-store` on either side or `Vary: *`, redirected responses, and responses to requests
/// with their own headers for credentials, cookies, ranges or conditions, or with one of
/// `Configuration.sensitiveHeaders` that is not the environment's.
public struct ConditionalRequestPolicy: Sendable, Hashable {
    /// The largest total size of cached bodies, in bytes; the least recently used are evicted
    /// first.
    public var maximumSize: Int
    /// The largest body that is cached, in bytes.
    public var maximumBodySize: Int
    /// The largest number of cached responses.
    public var maximumCount: Int

    /// Makes a policy.
    public init(
        maximumSize: Int = 8 << 20, maximumBodySize: Int = 1 << 20, maximumCount: Int = 1_000
    ) {
        self.maximumSize = maximumSize
        self.maximumBodySize = maximumBodySize
        self.maximumCount = maximumCount
    }
}
#endif
