#if RequestCore
/// Which redirects of a server are followed.
///
/// ```swift
/// configuration.redirects = .sameOrigin(max: 5)
/// ```
public struct RedirectPolicy: Sendable, Hashable {
    enum Scope: Sendable, Hashable { case none, sameOrigin, anywhere }

    let scope: Scope
    let maximum: Int
    /// Whether a 301 or 302 that would turn POST into GET is not followed, but the answer itself.
    ///
    /// For requests whose body has to reach a server, which it does not by such a redirect.
    package var keepsBody = false

    /// Follows up to a number of redirects, also to other hosts, which get no credentials.
    public static func follow(max: Int = 10) -> RedirectPolicy {
        RedirectPolicy(scope: .anywhere, maximum: max)
    }

    /// Follows up to a number of redirects that stay at the host, port and scheme; one that leaves
    /// them fails with `redirectRefused`.
    public static func sameOrigin(max: Int = 10) -> RedirectPolicy {
        RedirectPolicy(scope: .sameOrigin, maximum: max)
    }

    /// Follows none: the redirect itself is the answer.
    public static let none = RedirectPolicy(scope: .none, maximum: 0)
}

extension DataRequest {
    /// Sets which redirects are followed, in place of the service's configuration.
    public func redirecting(_ policy: RedirectPolicy) -> DataRequest {
        changed { $0.options.redirects = policy }
    }
}
#endif
