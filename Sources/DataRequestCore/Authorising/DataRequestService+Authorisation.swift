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
    public var authorisation: (any Authoriser)? {
        get { registry.environment.credentials.authoriser }
        set { registry.environment.credentials.authoriser = newValue }
    }
}
#endif
