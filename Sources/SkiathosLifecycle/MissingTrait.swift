#if !Lifecycle
public import SkiathosCore

// Without the trait Lifecycle, the compile errors of a dependent package say what to write.

/// Needs the trait.
@available(
    *, unavailable,
    message:
        "Skiathos is built without its trait Lifecycle. Write it in your Package.swift: .package(url: …, from: \"0.1.0\", traits: [.defaults, \"Lifecycle\"])"
)
public struct AppStateReactor {}

/// Needs the trait.
@available(
    *, unavailable,
    message:
        "Skiathos is built without its trait Lifecycle. Write it in your Package.swift: .package(url: …, from: \"0.1.0\", traits: [.defaults, \"Lifecycle\"])"
)
public struct ReactorReport {}

/// Needs the trait.
@available(
    *, unavailable,
    message:
        "Skiathos is built without its trait Lifecycle. Write it in your Package.swift: .package(url: …, from: \"0.1.0\", traits: [.defaults, \"Lifecycle\"])"
)
public enum AppState {}

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
