#if RequestCore
/// The encoding and length of a body before the service decompressed it.
public struct DecodedContent: Sendable, Hashable {
    /// The value of `Content-Encoding` that was removed, such as `gzip`.
    public var encoding: String
    /// The number of bytes on the wire, if the server has stated it; progress is measured by
    /// it.
    public var encodedLength: Int64?

    /// Makes a description.
    public init(encoding: String, encodedLength: Int64? = nil) {
        self.encoding = encoding
        self.encodedLength = encodedLength
    }
}
#endif
