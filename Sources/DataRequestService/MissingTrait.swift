#if !Requests
// Without the trait Requests, the compile errors of a dependent package say what to write.

/// Needs the trait.
@available(
    *, unavailable,
    message:
        "Skiathos is built without its trait Requests. Write it in your Package.swift: .package(url: …, from: \"0.1.0\", traits: [.defaults, \"Requests\"])"
)
public class AsyncHTTPTransport {}

/// Needs the trait.
@available(
    *, unavailable,
    message:
        "Skiathos is built without its trait Requests. Write it in your Package.swift: .package(url: …, from: \"0.1.0\", traits: [.defaults, \"Requests\"])"
)
public struct SecurityPolicy {}

/// Needs the trait.
@available(
    *, unavailable,
    message:
        "Skiathos is built without its trait Requests. Write it in your Package.swift: .package(url: …, from: \"0.1.0\", traits: [.defaults, \"Requests\"])"
)
public struct PinSet {}

/// Needs the trait.
@available(
    *, unavailable,
    message:
        "Skiathos is built without its trait Requests. Write it in your Package.swift: .package(url: …, from: \"0.1.0\", traits: [.defaults, \"Requests\"])"
)
public struct Pin {}
#endif
