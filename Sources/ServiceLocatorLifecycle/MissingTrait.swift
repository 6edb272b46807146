#if !Lifecycle
public import ServiceLocator

// A package that uses this module without the trait Lifecycle reads in its compile errors what to
// write.

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
