#if RequestCore
/// What a body was before the service has decompressed it.
public struct DecodedContent: Sendable, Hashable {
    /// The value of `Content-Encoding` that was removed, such as `gzip`.
    public var encoding: String
    /// The number of bytes on the wire, if the server has said it; what progress is measured by.
    public var encodedLength: Int64?

    /// Makes a description.
    public init(encoding: String, encodedLength: Int64? = nil) {
        self.encoding = encoding
        self.encodedLength = encodedLength
    }
}
#endif
