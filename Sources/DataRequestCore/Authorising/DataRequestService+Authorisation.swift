#if RequestCore
extension DataRequestService {
    /// Adds credentials to requests to the current environment; nil sends none.
    ///
    /// ```swift
    /// service.authorisation = BearerAuthoriser(token: token)
    /// service.authorisation = nil   // signed out
    /// ```
    ///
    /// It can be set at any time. Every exchange that begins later uses the new one, also
    /// another attempt of a call in flight. It belongs to the environment: calls that finish
    /// against the one before a switch keep its credentials.
    ///
    /// The service retains the authoriser until it is shut down, and accepts none afterwards.
    /// A refresh that uses the service itself should hold it weakly. Otherwise the service is
    /// not freed before its shutdown:
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
