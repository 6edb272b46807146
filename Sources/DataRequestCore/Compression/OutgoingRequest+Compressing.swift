#if RequestCore
import HTTPTypes
import SkiathosPlatformFoundation

extension OutgoingRequest {
    /// Compresses the body, if the request asks for it and has no `Content-Encoding` of its
    /// own.
    ///
    /// A small body in memory is compressed there, so that its length is known.
    mutating func compressBody() throws {
        guard options.compressesBody, headers[.contentEncoding] == nil else { return }
        switch body.source {
        case .nothing: return
        case .bytes(let data) where data.count <= 256 << 10:
            let deflater = try Deflater()
            let compressed = try deflater.compress(data) + deflater.compress(nil)
            body.source = .bytes(compressed)
            body.length = Int64(compressed.count)
        default:
            let plain = body
            body.source = .stream {
                ByteStream(DeflatedBody(stream: try await plain.open() ?? .empty))
            }
            body.length = nil
        }
        headers[.contentEncoding] = "gzip"
        // It was the length of the plain body.
        headers[.contentLength] = nil
    }
}
#endif
