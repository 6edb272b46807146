/// The lifetime of a service that a closure makes.
///
/// ```swift
/// try locator.register((any Clock).self, .lazy { _ in SystemClock() })
/// try locator.register(Request.self, .lazy(.transient) { _ in Request() })
/// ```
public struct ServiceLifetime: Sendable, Hashable, CustomStringConvertible {
    /// The stable name, as descriptions of the graph show it.
    public let description: String

    /// Made once, in the scope of its registration, and kept until that closes.
    public static let singleton = ServiceLifetime(description: "singleton")
    /// Made once in each scope that asks, and kept until that closes.
    public static let scoped = ServiceLifetime(description: "scoped")
    /// Made again with each resolve from the services of the resolving scope, and not kept.
    public static let transient = ServiceLifetime(description: "transient")
}
