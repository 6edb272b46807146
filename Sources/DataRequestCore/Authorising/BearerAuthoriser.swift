#if RequestCore
import HTTPTypes
import Locks
import Synchronization

/// Authorises requests with a bearer token (RFC 6750), and fetches a new token when it is
/// rejected.
///
/// ```swift
/// service.authorisation = BearerAuthoriser(token: token) { _ in
///     try await accounts.renewedToken()
/// }
/// // Authorization: Bearer …
/// ```
///
/// Its description does not show the token.
public final class BearerAuthoriser: Authoriser, CustomStringConvertible, CustomReflectable {
    private let current: Lock<String?>  // written by refreshes, one at a time, and by `token`
    private let renew: (@Sendable (String?) async throws -> String)?

    /// Makes an authoriser.
    ///
    /// - Parameters:
    ///   - token: The token to begin with; nil sends requests without one until the first is
    ///     rejected.
    ///   - refresh: Returns a new token in place of the rejected one; nil accepts the 401.
    public init(
        token: String?, refresh: (@Sendable (_ rejected: String?) async throws -> String)? = nil
    ) {
        current = Lock(token)
        renew = refresh
    }

    /// The token that later exchanges carry.
    public var token: String? {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// Sets the header `Authorization`.
    public func authorise(_ request: inout OutgoingRequest) {
        guard let token else { return }
        request.headers[.authorization] = "Bearer \(token)"
    }

    /// Fetches a new token.
    public func refresh(after rejection: AuthorisationRejection) async throws -> Bool {
        guard let renew else { return false }
        token = try await renew(token)
        return true
    }

    /// The type alone.
    public var description: String { "BearerAuthoriser" }

    /// A mirror without the token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
#endif
