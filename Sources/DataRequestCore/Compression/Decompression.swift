#if RequestCore
/// Whether responses are decompressed, and the size limits.
///
/// ```swift
/// configuration.decompression.maximumSize = 256 << 20
/// ```
///
/// A few thousand bytes can be the compressed form of gigabytes (a decompression bomb). A
/// response that grows beyond a limit fails with `tooLarge` while it is read.
public struct Decompression: Sendable, Hashable {
    /// Whether compressed answers are requested by `Accept-Encoding` and decompressed.
    ///
    /// Otherwise bodies are passed on as they arrive, with their `Content-Encoding`, as they are to
    /// a request whose own `Accept-Encoding` names encodings.
    public var isEnabled = true
    /// The largest ratio of decompressed to received bytes, also of a body that was compressed
    /// several times; checked once a body exceeds a mebibyte.
    public var maximumRatio = 300
    /// The largest decompressed size of a body, in bytes.
    public var maximumSize: Int64 = 1 << 30

    /// Makes the defaults.
    public init() {}
}
#endif
