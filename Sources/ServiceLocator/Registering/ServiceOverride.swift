/// A service that replaces another while a closure runs.
///
/// ```swift
/// try await locator.withOverrides([
///     ServiceOverride((any Clock).self, FixedClock()),
///     ServiceOverride((any Mailer).self, named: "bulk", SilentMailer()),
/// ]) { … }
/// ```
public struct ServiceOverride: Sendable {
    let key: ServiceKey
    let box: ErasedBox

    /// Names the type and its stand-in; the type need not be registered.
    public init<P: Sendable>(_ type: P.Type, named name: String? = nil, _ service: P) {
        key = ServiceKey(ObjectIdentifier(type), name)
        box = Box(service)
    }
}
