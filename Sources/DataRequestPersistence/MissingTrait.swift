#if !RequestCore
// Without the trait RequestCore, the compile errors of a dependent package say what to write.

/// Needs the trait.
@available(
    *, unavailable,
    message:
        "Skiathos is built without its trait Requests. Write it in your Package.swift: .package(url: …, from: \"0.1.0\", traits: [.defaults, \"Requests\"])"
)
public class OfflineQueue {}

/// Needs the trait.
@available(
    *, unavailable,
    message:
        "Skiathos is built without its trait Requests. Write it in your Package.swift: .package(url: …, from: \"0.1.0\", traits: [.defaults, \"Requests\"])"
)
public struct QueuedRequest {}

/// Needs the trait.
@available(
    *, unavailable,
    message:
        "Skiathos is built without its trait Requests. Write it in your Package.swift: .package(url: …, from: \"0.1.0\", traits: [.defaults, \"Requests\"])"
)
public enum DataRequestEntities {}

/// Needs the trait.
@available(
    *, unavailable,
    message:
        "Skiathos is built without its trait Requests. Write it in your Package.swift: .package(url: …, from: \"0.1.0\", traits: [.defaults, \"Requests\"])"
)
public struct SyncPages {}

/// Needs the trait.
@available(
    *, unavailable,
    message:
        "Skiathos is built without its trait Requests. Write it in your Package.swift: .package(url: …, from: \"0.1.0\", traits: [.defaults, \"Requests\"])"
)
public struct PageEnvelope {}

/// Needs the trait.
@available(
    *, unavailable,
    message:
        "Skiathos is built without its trait Requests. Write it in your Package.swift: .package(url: …, from: \"0.1.0\", traits: [.defaults, \"Requests\"])"
)
public struct SyncReport {}
#endif
