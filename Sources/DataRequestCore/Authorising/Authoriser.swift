#if RequestCore
import HTTPTypes
public import PlatformFoundation

/// What gives requests to the base host their credentials, and replaces them when they expire.
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
/// It is asked for each exchange with the base host that has no `Authorization` yet, and never for
/// foreign hosts, also not after redirects. What it sets is below the steps of one's own that run
/// once for a call.
public protocol Authoriser: Sendable {
    /// Adds the credentials to a request to the base host.
    func authorise(_ request: inout OutgoingRequest) async throws

    /// Replaces credentials that a server has answered with 401.
    ///
    /// One refresh runs at a time, on behalf of all requests that were rejected; each is sent once
    /// more afterwards. Requests that a refresh makes through the same service carry no
    /// credentials. A refresh goes on when the requests that wait for it are cancelled.
    ///
    /// - Returns: Whether there are new credentials; if not, the 401 is the answer.
    /// - Throws: What prevents it; the requests that wait fail with `unauthorised` and this cause.
    func refresh(after rejection: AuthorisationRejection) async throws -> Bool
}

extension Authoriser {
    /// Has no new credentials to give.
    public func refresh(after rejection: AuthorisationRejection) async throws -> Bool { false }
}

/// An answer with 401.
public struct AuthorisationRejection: Sendable {
    /// The address that was asked.
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
