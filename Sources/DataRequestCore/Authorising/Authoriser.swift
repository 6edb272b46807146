#if RequestCore
import HTTPTypes
public import SkiathosPlatformFoundation

/// Adds credentials to requests to the base host, and replaces them when they expire.
///
/// ```swift
/// struct KeyAuthoriser: Authoriser {
///     let key: String
///     func authorise(_ request: inout OutgoingRequest) {
///         request.headers[.authorization] = "Key \(key)"
///     }
/// }
/// service.authorisation = KeyAuthoriser(key: key)
/// ```
///
/// It is called for each exchange with the base host that has no `Authorization` yet. It is
/// never called for external hosts, also not after redirects. `Configuration.interceptors`,
/// which run once for a call, do not see the headers it sets.
public protocol Authoriser: Sendable {
    /// Adds the credentials to a request to the base host.
    func authorise(_ request: inout OutgoingRequest) async throws

    /// Replaces credentials that a server has answered with 401.
    ///
    /// One refresh runs at a time, on behalf of all requests that were rejected; each is sent
    /// once more afterwards. Requests that a refresh makes through the same service carry no
    /// credentials, whereas those through other services carry theirs. A refresh continues
    /// when the requests that wait for it are cancelled.
    ///
    /// - Returns: Whether there are new credentials; if not, the 401 is the answer.
    /// - Throws: The reason why the refresh failed; the waiting requests fail with
    ///   `unauthorised` and this cause.
    func refresh(after rejection: AuthorisationRejection) async throws -> Bool

    /// A number that changes whenever the credentials are replaced, by a refresh or otherwise.
    ///
    /// The cache for conditional requests separates responses by it, and a rejection of
    /// credentials that were replaced meanwhile causes no refresh. An authoriser needs it if
    /// its credentials can be set from outside; one that wraps another returns that of the
    /// other. 0 by default, since a service counts refreshes and new authorisers itself.
    var revision: Int { get }
}

extension Authoriser {
    /// 0: the credentials are replaced by refreshes alone.
    public var revision: Int { 0 }

    /// Returns false: there are no new credentials.
    public func refresh(after rejection: AuthorisationRejection) async throws -> Bool { false }
}

/// A response with status 401.
public struct AuthorisationRejection: Sendable {
    /// The address of the request.
    public var url: URL
    /// The values of `WWW-Authenticate`, joined by commas, if there were any.
    public var challenge: String?

    /// Makes a rejection.
    public init(url: URL, challenge: String? = nil) {
        self.url = url
        self.challenge = challenge
    }
}
#endif
