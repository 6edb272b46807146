#if !Lifecycle
public import SkiathosCore

// A package that uses this module without the trait Lifecycle reads in its compile errors what to
// write.

/// Needs the trait.
@available(
    *, unavailable,
    message:
        "Skiathos is built without its trait Lifecycle. Write it in your Package.swift: .package(url: …, from: \"0.1.0\", traits: [.defaults, \"Lifecycle\"])"
)
public struct AppStateReactor {}

extension DataAccessLayer {
    /// Needs the trait.
    @available(
        *, unavailable,
        message:
            "Skiathos is built without its trait Lifecycle. Write it in your Package.swift: .package(url: …, from: \"0.1.0\", traits: [.defaults, \"Lifecycle\"])"
    )
    public func runUntilTerminated(_ work: @escaping @Sendable () async throws -> Void) async throws
    {}
}
#endif
