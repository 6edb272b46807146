#if RequestCore
public import HTTPTypes

/// The validators of a response: its entity tag and the date of its last change.
///
/// ```swift
/// let first = try await service.response(for: request)
/// let kept = first.validators                      // Validators(etag: "\"v7\"", …)
/// let second = try await service.response(for: request.validators(kept))
/// // If-None-Match: "v7"
/// if second.status == .notModified { … }           // nothing has changed, and no body came
/// ```
///
/// Both are kept as the server wrote them, quotes and weakness (`W/`) included.
public struct Validators: Sendable, Hashable, Codable {
    /// The value of `ETag`, such as `"v7"` or `W/"v7"`, with its quotes.
    public var etag: String?
    /// The value of `Last-Modified`, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    public var lastModified: String?

    /// Makes validators of values as they stood in the headers of an answer.
    public init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = etag
        self.lastModified = lastModified
    }

    /// Reads validators out of the headers of an answer.
    public init(_ headers: HTTPFields) {
        self.init(etag: headers[.eTag], lastModified: headers[.lastModified])
    }

    /// Whether there is neither an entity tag nor a date.
    public var isEmpty: Bool { etag == nil && lastModified == nil }

    /// Whether the entity tag promises equal bytes, as a range that is resumed needs it.
    ///
    /// ```swift
    /// Validators(etag: "W/\"v7\"").hasStrongTag   // false
    /// ```
    public var hasStrongTag: Bool {
        guard let etag else { return false }
        return etag.begins(with: "\"")
    }
}

extension DataRequest {
    /// Makes the request conditional on a change, and accepts status 304.
    ///
    /// ```swift
    /// request.validators(Validators(etag: "\"v7\""))   // If-None-Match: "v7"
    /// ```
    ///
    /// Empty validators leave the request as it is. An answer with status 304 has no body.
    public func validators(_ validators: Validators) -> DataRequest {
        guard !validators.isEmpty else { return self }
        return changed {
            if let etag = validators.etag { $0.headers[.ifNoneMatch] = etag }
            if let date = validators.lastModified { $0.headers[.ifModifiedSince] = date }
            $0.expectedStatuses = $0.expectedStatuses.or(.notModified)
        }
    }
}

extension IncomingResponse {
    /// The entity tag and the date of change that came with the answer.
    public var validators: Validators { Validators(headers) }
}
#endif
