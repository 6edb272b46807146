#if !Lifecycle
public import ServiceLocator

// Without the trait Lifecycle, the compile errors of a dependent package say what to write.

extension ServiceLocator {
    /// Needs the trait.
    @available(
        *, unavailable,
        message:
            "Skiathos is built without its trait Lifecycle. Write it in your Package.swift: .package(url: …, from: \"0.1.0\", traits: [.defaults, \"Lifecycle\"])"
    )
    public func services() async throws -> [Any] { [] }
}
#endif
