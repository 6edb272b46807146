/// A service that stands for another while a closure runs.
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

    /// Describes what stands for what; the type need not be registered.
    public init<P: Sendable>(_ type: P.Type, named name: String? = nil, _ service: P) {
        key = ServiceKey(ObjectIdentifier(type), name)
        box = Box(service)
    }
}
