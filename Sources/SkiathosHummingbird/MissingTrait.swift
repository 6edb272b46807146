#if !Hummingbird
// Without the trait Hummingbird, the compile errors of a dependent package say what to write.

/// Needs the trait.
@available(
    *, unavailable,
    message:
        "Skiathos is built without its trait Hummingbird. Write it in your Package.swift: .package(url: …, from: \"0.1.0\", traits: [.defaults, \"Hummingbird\"])"
)
public struct ServerSentEvent {}

/// Needs the trait.
@available(
    *, unavailable,
    message:
        "Skiathos is built without its trait Hummingbird. Write it in your Package.swift: .package(url: …, from: \"0.1.0\", traits: [.defaults, \"Hummingbird\"])"
)
public struct ServerSentEventOptions {}

/// Needs the trait.
@available(
    *, unavailable,
    message:
        "Skiathos is built without its trait Hummingbird. Write it in your Package.swift: .package(url: …, from: \"0.1.0\", traits: [.defaults, \"Hummingbird\"])"
)
public enum ListEvent {}
#endif
