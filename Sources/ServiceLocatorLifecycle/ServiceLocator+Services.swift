#if Lifecycle
public import ServiceLifecycle
public import ServiceLocator

extension ServiceLocator {
    /// Makes all services and returns those that a group can run, each after its dependencies.
    ///
    /// ```swift
    /// let services = try await locator.services()   // [database, mailer, server]
    /// ```
    ///
    /// A group stops the last first, so a service stops before its dependencies. An object
    /// that is registered for several types is returned once. Services of the scopes above
    /// come first; transient and weak ones, which the locator does not keep, are left out.
    ///
    /// - Throws: `ServiceLocatorError` with code `verificationFailed` if something cannot be made.
    public func services() async throws -> [any Service] {
        try await verify()
        var seen: Set<ObjectIdentifier> = []
        return keptServices.compactMap { $0 as? any Service }.filter {
            guard type(of: $0) is AnyClass else { return true }
            return seen.insert(ObjectIdentifier($0 as AnyObject)).inserted
        }
    }
}
#endif
