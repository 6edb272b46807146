#if RequestCore
/// Which answers are decompressed, and how large they may become.
///
/// ```swift
/// configuration.decompression.maximumSize = 256 << 20
/// ```
///
/// A few thousand bytes can be the compressed form of gigabytes: an answer that grows beyond a
/// limit fails with `tooLarge` while it is read.
public struct Decompression: Sendable, Hashable {
    /// Whether compressed answers are asked for by `Accept-Encoding` and decompressed.
    ///
    /// Otherwise bodies are handed on as they come, with their `Content-Encoding`.
    public var isEnabled = true
    /// How many times as large as what came a body may become, beyond its first mebibyte.
    public var maximumRatio = 300
    /// How large a body may become in bytes.
    public var maximumSize: Int64 = 1 << 30

    /// Makes the defaults.
    public init() {}
}
#endif
