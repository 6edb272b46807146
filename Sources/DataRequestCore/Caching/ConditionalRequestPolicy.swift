#if RequestCore
/// How much of earlier answers is kept to ask whether they have changed.
///
/// ```swift
/// configuration.conditionalRequests = ConditionalRequestPolicy(maximumSize: 8 << 20)
/// ```
///
/// With a policy, answers with status 200 to GET requests to the base host that have a validator
/// are kept in memory. The server is asked each time, with `If-None-Match` or
/// `If-Modified-Since`; when it answers 304, the kept body is the answer, with status 200 and the
/// newer headers. Nothing is ever answered without asking.
///
/// Answers are kept apart by address, environment, credentials (each refresh counts as others)
/// and the headers that `Vary` names. Not kept is what either side forbids by `no-store`, what
/// varies by everything, what came over a redirect, and what requests with headers of their own
/// for credentials, cookies, ranges or conditions get.
public struct ConditionalRequestPolicy: Sendable, Hashable {
    /// How many bytes of bodies are kept at most; what was not used longest goes first.
    public var maximumSize: Int
    /// The largest body that is kept, in bytes.
    public var maximumBodySize: Int
    /// How many answers are kept at most.
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
