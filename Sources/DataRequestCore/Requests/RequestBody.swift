#if RequestCore
public import SkiathosPlatformFoundation

/// The body of a request.
///
/// ```swift
/// let body = RequestBody.data(Data("title=Solace".utf8), contentType: "text/plain")
/// ```
///
/// JSON, forms, texts, files and multipart bodies have functions of their own.
public struct RequestBody: Sendable {
    /// Where the bytes come from.
    package enum Source: Sendable {
        case nothing
        case bytes(Data)
        /// Opened again for each attempt if `isRepeatable`.
        case stream(@Sendable () async throws -> ByteStream)
        /// Made for each attempt from data that is only known then, such as the length of a
        /// file.
        case prepared(@Sendable () async throws -> RequestBody)
    }

    package var source: Source
    /// The media type, such as `application/json`, sent as `Content-Type` unless a header says another.
    public var contentType: String?
    /// The number of bytes, if it is known before they are sent; else the body is sent in chunks.
    ///
    /// Files are measured when they are sent: until then, their length is nil.
    public var length: Int64?
    /// Whether the body can be sent a second time, as a redirect or another attempt needs it.
    public var isRepeatable: Bool

    package init(
        _ source: Source, contentType: String? = nil, length: Int64?, isRepeatable: Bool = true
    ) {
        self.source = source
        self.contentType = contentType
        self.length = length
        self.isRepeatable = isRepeatable
    }

    /// No body.
    public static let none = RequestBody(.nothing, length: 0)

    /// Bytes as they are.
    public static func data(
        _ data: Data, contentType: String = "application/octet-stream"
    ) -> RequestBody {
        RequestBody(.bytes(data), contentType: contentType, length: Int64(data.count))
    }

    /// Bytes that are made while they are sent, once more for each attempt.
    ///
    /// - Parameters:
    ///   - contentType: The media type.
    ///   - length: The number of bytes; nil sends chunks. A stream that gives another number of
    ///     bytes fails the request with `invalidBody`.
    ///   - open: Makes the stream; called once for each attempt.
    public static func stream(
        contentType: String = "application/octet-stream", length: Int64? = nil,
        repeatable open: @escaping @Sendable () async throws -> ByteStream
    ) -> RequestBody {
        RequestBody(.stream(open), contentType: contentType, length: length)
    }

    /// Bytes that can be read once, so that the request is never sent a second time.
    ///
    /// Sending the same request again fails with `invalidBody`.
    public static func stream(
        _ stream: ByteStream, contentType: String = "application/octet-stream"
    ) -> RequestBody {
        let once = OneTimeStream(stream)
        return RequestBody(
            .stream { try once.consume() }, contentType: contentType, length: stream.length,
            isRepeatable: false)
    }

    /// The bytes as a stream, opened for one attempt.
    package func open() async throws -> ByteStream? {
        switch source {
        case .nothing: nil
        case .bytes(let data): ByteStream(data)
        case .stream(let open): try await open()
        case .prepared: try await prepared().open()
        }
    }

    /// The body as it is for one attempt, with its length if that can be known.
    package func prepared() async throws -> RequestBody {
        guard case .prepared(let make) = source else { return self }
        var body = try await make().prepared()
        body.contentType = contentType ?? body.contentType
        body.isRepeatable = isRepeatable && body.isRepeatable
        return body
    }
}
#endif
