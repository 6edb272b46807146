#if RequestCore
extension DataRequestService {
    /// What gives requests to the current environment their credentials; nil sends none.
    ///
    /// ```swift
    /// service.authorisation = BearerAuthoriser(token: token)
    /// service.authorisation = nil   // signed out
    /// ```
    ///
    /// It can be set at any time. Every exchange that begins later takes the new one, also another
    /// attempt of a call that is in flight. It belongs to the environment: calls that finish
    /// against the one before a switch keep its credentials.
    ///
    /// The service keeps the authoriser until it is shut down, and takes none afterwards. A refresh that
    /// uses the service itself holds it weakly, or the service is not freed before its shutdown:
    ///
    /// ```swift
    /// service.authorisation = BearerAuthoriser(token: token) { [weak service] _ in
    ///     guard let service else { throw CancellationError() }
    ///     return try await service.post("token", as: Token.self).value
    /// }
    /// ```
    public var authorisation: (any Authoriser)? {
        get { registry.environment.credentials.authoriser }
        set { registry.environment.credentials.authoriser = newValue }
    }
}
#endif
