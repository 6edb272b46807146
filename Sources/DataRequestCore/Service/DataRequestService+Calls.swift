#if RequestCore
import HTTPTypes
public import SkiathosPlatformFoundation

extension DataRequestService {
    /// Gets a value.
    ///
    /// ```swift
    /// let track = try await service.get("tracks/7", as: Track.self)
    /// let jazz = try await service.get("tracks", query: [QueryItem("genre", "Jazz")], as: [Track].self)
    /// // GET https://api.example.com/v1/tracks?genre=Jazz
    /// ```
    ///
    /// - Throws: `DataRequestError`; see ``decode(_:from:)``.
    public func get<Value: Decodable & Sendable>(
        _ path: String, query: [QueryItem] = [], as type: Value.Type = Value.self
    ) async throws -> Value {
        try await decode(type, from: call(.get, path, query))
    }

    /// Gets the bytes of an answer, whatever their type.
    ///
    /// ```swift
    /// let cover = try await service.get("covers/7")   // GET https://api.example.com/v1/covers/7
    /// ```
    ///
    /// - Throws: `DataRequestError`; see ``data(for:)``.
    public func get(_ path: String, query: [QueryItem] = []) async throws -> Data {
        try await data(for: call(.get, path, query))
    }

    /// Requests only the status and the headers.
    ///
    /// ```swift
    /// let size = try await service.head("covers/7").headers[.contentLength]   // HEAD …/covers/7
    /// ```
    ///
    /// - Throws: `DataRequestError`; `unexpectedStatus` for other statuses than 2xx.
    public func head(_ path: String, query: [QueryItem] = []) async throws -> ResponseHead {
        let request = call(.head, path, query)
        return try await perform(request) { response in
            ResponseHead(try await self.checked(response, for: request))
        }
    }

    /// Deletes what is at a path, and decodes the answer.
    ///
    /// ```swift
    /// let left: Int? = try await service.delete("tracks/7")   // DELETE …/tracks/7
    /// ```
    ///
    /// - Throws: `DataRequestError`; see ``decode(_:from:)``.
    public func delete<Value: Decodable & Sendable>(
        _ path: String, query: [QueryItem] = [], as type: Value.Type = Value.self
    ) async throws -> Value {
        try await decode(type, from: call(.delete, path, query))
    }

    /// Deletes what is at a path; gives the bytes of the answer.
    ///
    /// - Throws: `DataRequestError`; see ``data(for:)``.
    @discardableResult
    public func delete(_ path: String, query: [QueryItem] = []) async throws -> Data {
        try await data(for: call(.delete, path, query))
    }

    func call(
        _ method: HTTPRequest.Method, _ path: String, _ query: [QueryItem] = []
    ) -> DataRequest {
        var request = DataRequest(method, path)
        request.query = query
        return request
    }
}
#endif
