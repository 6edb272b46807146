#if RequestCore
import HTTPTypes
import SkiathosLocks
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
    private struct State {
        var token: String?
        /// How often the token was replaced.
        var revision = 0

        mutating func replace(by token: String?) {
            self.token = token
            revision += 1
        }
    }

    private let state: Lock<State>  // written by refreshes, one at a time, and by `token`
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
        state = Lock(State(token: token))
        renew = refresh
    }

    /// The token that later exchanges carry.
    ///
    /// One that is set during a refresh stays: the token of the refresh is dropped.
    public var token: String? {
        get { state.withLock { $0.token } }
        set { state.withLock { $0.replace(by: newValue) } }
    }

    /// How often the token was replaced, by a refresh or from outside.
    public var revision: Int { state.withLock { $0.revision } }

    /// Sets the header `Authorization`.
    public func authorise(_ request: inout OutgoingRequest) {
        guard let token else { return }
        request.headers[.authorization] = "Bearer \(token)"
    }

    /// Fetches a new token.
    public func refresh(after rejection: AuthorisationRejection) async throws -> Bool {
        guard let renew else { return false }
        let rejected = state.withLock { $0 }
        let token = try await renew(rejected.token)
        state.withLock { state in
            // A token that was set meanwhile may be that of another user.
            if state.revision == rejected.revision { state.replace(by: token) }
        }
        return true
    }

    /// The type alone.
    public var description: String { "BearerAuthoriser" }

    /// A mirror without the token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
#endif
