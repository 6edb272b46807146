#if RequestCore
public import HTTPTypes

/// A decoded value with the status and the headers that it came with.
public struct Answer<Value: Sendable>: Sendable {
    /// What the body was decoded to.
    public var value: Value
    /// The address that answered, the status and the headers.
    public var head: ResponseHead

    /// The status, such as 201.
    public var status: HTTPResponse.Status { head.status }
    /// The headers.
    public var headers: HTTPFields { head.headers }

    /// Makes an answer.
    public init(value: Value, head: ResponseHead) {
        self.value = value
        self.head = head
    }
}

extension DataRequestService {
    /// Sends a request, and returns the decoded answer with its status and headers.
    ///
    /// ```swift
    /// let created = try await service.answer(Track.self, for: DataRequest(.post, "tracks"))
    /// created.headers[.location]   // "/v1/tracks/7"
    /// created.value.id             // 7
    /// ```
    ///
    /// - Throws: `DataRequestError`; see ``decode(_:from:)``.
    public func answer<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self, for request: DataRequest
    ) async throws -> Answer<Value> {
        try await answer(type, for: request, using: nil)
    }
}
#endif
