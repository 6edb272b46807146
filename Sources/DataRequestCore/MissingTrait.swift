#if !RequestCore
// Without the trait RequestCore, the compile errors of a dependent package say what to write.

/// Needs the trait.
@available(
    *, unavailable,
    message:
        "Skiathos is built without its trait Requests. Write it in your Package.swift: .package(url: …, from: \"0.1.0\", traits: [.defaults, \"Requests\"])"
)
public struct DataRequestService {}

/// Needs the trait.
@available(
    *, unavailable,
    message:
        "Skiathos is built without its trait Requests. Write it in your Package.swift: .package(url: …, from: \"0.1.0\", traits: [.defaults, \"Requests\"])"
)
public struct DataRequest {}

/// Needs the trait.
@available(
    *, unavailable,
    message:
        "Skiathos is built without its trait Requests. Write it in your Package.swift: .package(url: …, from: \"0.1.0\", traits: [.defaults, \"Requests\"])"
)
public struct DataRequestError {}

/// Needs the trait.
@available(
    *, unavailable,
    message:
        "Skiathos is built without its trait Requests. Write it in your Package.swift: .package(url: …, from: \"0.1.0\", traits: [.defaults, \"Requests\"])"
)
public struct RequestBody {}

/// Needs the trait.
@available(
    *, unavailable,
    message:
        "Skiathos is built without its trait Requests. Write it in your Package.swift: .package(url: …, from: \"0.1.0\", traits: [.defaults, \"Requests\"])"
)
public struct RequestOptions {}

/// Needs the trait.
@available(
    *, unavailable,
    message:
        "Skiathos is built without its trait Requests. Write it in your Package.swift: .package(url: …, from: \"0.1.0\", traits: [.defaults, \"Requests\"])"
)
public struct MultipartBody {}

/// Needs the trait.
@available(
    *, unavailable,
    message:
        "Skiathos is built without its trait Requests. Write it in your Package.swift: .package(url: …, from: \"0.1.0\", traits: [.defaults, \"Requests\"])"
)
public struct RetryPolicy {}

/// Needs the trait.
@available(
    *, unavailable,
    message:
        "Skiathos is built without its trait Requests. Write it in your Package.swift: .package(url: …, from: \"0.1.0\", traits: [.defaults, \"Requests\"])"
)
public struct RecordingTransport {}

/// Needs the trait.
@available(
    *, unavailable,
    message:
        "Skiathos is built without its trait Requests. Write it in your Package.swift: .package(url: …, from: \"0.1.0\", traits: [.defaults, \"Requests\"])"
)
public struct ServerEnvironment {}

/// Needs the trait.
@available(
    *, unavailable,
    message:
        "Skiathos is built without its trait Requests. Write it in your Package.swift: .package(url: …, from: \"0.1.0\", traits: [.defaults, \"Requests\"])"
)
public struct DownloadOptions {}

/// Needs the trait.
@available(
    *, unavailable,
    message:
        "Skiathos is built without its trait Requests. Write it in your Package.swift: .package(url: …, from: \"0.1.0\", traits: [.defaults, \"Requests\"])"
)
public class BearerAuthoriser {}

/// Needs the trait.
@available(
    *, unavailable,
    message:
        "Skiathos is built without its trait Requests. Write it in your Package.swift: .package(url: …, from: \"0.1.0\", traits: [.defaults, \"Requests\"])"
)
public protocol HTTPTransport {}

/// Needs the trait.
@available(
    *, unavailable,
    message:
        "Skiathos is built without its trait Requests. Write it in your Package.swift: .package(url: …, from: \"0.1.0\", traits: [.defaults, \"Requests\"])"
)
public protocol RequestInterceptor {}
#endif
