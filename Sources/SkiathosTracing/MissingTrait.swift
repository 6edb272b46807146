#if !Tracing
// Without the trait Tracing, the compile errors of a dependent package say what to write.

/// Needs the trait.
@available(
    *, unavailable,
    message:
        "Skiathos is built without its trait Tracing. Write it in your Package.swift: .package(url: …, from: \"0.1.0\", traits: [.defaults, \"Tracing\"])"
)
public struct DistributedTracer {
    /// Needs the trait.
    public init() {}
}
#endif
