#if RequestCore
import HTTPTypes
public import SkiathosPlatformFoundation

extension DataRequestService {
    /// Posts a value as JSON, and decodes the answer.
    ///
    /// ```swift
    /// let saved = try await service.post("tracks", json: draft, as: Track.self)
    /// // POST https://api.example.com/v1/tracks   {"title":"Solace"}
    /// ```
    ///
    /// - Throws: `DataRequestError`; `invalidBody` if the value has no form in JSON, else see
    ///   ``decode(_:from:)``.
    public func post<Value: Decodable & Sendable>(
        _ path: String, json value: some Encodable, as type: Value.Type = Value.self
    ) async throws -> Value {
        try await decode(type, from: call(.post, path, json: value))
    }

    /// Posts a value as JSON; gives the bytes of the answer.
    ///
    /// - Throws: `DataRequestError`; `invalidBody` if the value has no form in JSON, else see
    ///   ``data(for:)``.
    @discardableResult
    public func post(_ path: String, json value: some Encodable) async throws -> Data {
        try await data(for: call(.post, path, json: value))
    }

    /// Posts a body, and decodes the answer.
    ///
    /// ```swift
    /// let receipt: Receipt = try await service.post("tracks", body: .file(recording))
    /// ```
    ///
    /// - Throws: `DataRequestError`; see ``decode(_:from:)``.
    public func post<Value: Decodable & Sendable>(
        _ path: String, body: RequestBody, as type: Value.Type = Value.self
    ) async throws -> Value {
        try await decode(type, from: call(.post, path).body(body))
    }

    /// Posts a body; gives the bytes of the answer.
    ///
    /// - Throws: `DataRequestError`; see ``data(for:)``.
    @discardableResult
    public func post(_ path: String, body: RequestBody = .none) async throws -> Data {
        try await data(for: call(.post, path).body(body))
    }

    /// Puts a value as JSON, and decodes the answer.
    ///
    /// ```swift
    /// let saved = try await service.put("tracks/7", json: draft, as: Track.self)
    /// // PUT https://api.example.com/v1/tracks/7   {"title":"Solace"}
    /// ```
    ///
    /// - Throws: `DataRequestError`; `invalidBody` if the value has no form in JSON, else see
    ///   ``decode(_:from:)``.
    public func put<Value: Decodable & Sendable>(
        _ path: String, json value: some Encodable, as type: Value.Type = Value.self
    ) async throws -> Value {
        try await decode(type, from: call(.put, path, json: value))
    }

    /// Puts a value as JSON; gives the bytes of the answer.
    ///
    /// - Throws: `DataRequestError`; `invalidBody` if the value has no form in JSON, else see
    ///   ``data(for:)``.
    @discardableResult
    public func put(_ path: String, json value: some Encodable) async throws -> Data {
        try await data(for: call(.put, path, json: value))
    }

    /// Puts a body, and decodes the answer.
    ///
    /// ```swift
    /// let receipt: Receipt = try await service.put("tracks/7", body: .file(recording))
    /// ```
    ///
    /// - Throws: `DataRequestError`; see ``decode(_:from:)``.
    public func put<Value: Decodable & Sendable>(
        _ path: String, body: RequestBody, as type: Value.Type = Value.self
    ) async throws -> Value {
        try await decode(type, from: call(.put, path).body(body))
    }

    /// Puts a body; gives the bytes of the answer.
    ///
    /// - Throws: `DataRequestError`; see ``data(for:)``.
    @discardableResult
    public func put(_ path: String, body: RequestBody = .none) async throws -> Data {
        try await data(for: call(.put, path).body(body))
    }

    /// Patches with a value as JSON, and decodes the answer.
    ///
    /// ```swift
    /// let saved = try await service.patch("tracks/7", json: draft, as: Track.self)
    /// // PATCH https://api.example.com/v1/tracks/7   {"title":"Solace"}
    /// ```
    ///
    /// - Throws: `DataRequestError`; `invalidBody` if the value has no form in JSON, else see
    ///   ``decode(_:from:)``.
    public func patch<Value: Decodable & Sendable>(
        _ path: String, json value: some Encodable, as type: Value.Type = Value.self
    ) async throws -> Value {
        try await decode(type, from: call(.patch, path, json: value))
    }

    /// Patches with a value as JSON; gives the bytes of the answer.
    ///
    /// - Throws: `DataRequestError`; `invalidBody` if the value has no form in JSON, else see
    ///   ``data(for:)``.
    @discardableResult
    public func patch(_ path: String, json value: some Encodable) async throws -> Data {
        try await data(for: call(.patch, path, json: value))
    }

    /// Patches with a body, and decodes the answer.
    ///
    /// ```swift
    /// let receipt: Receipt = try await service.patch("tracks/7", body: .file(recording))
    /// ```
    ///
    /// - Throws: `DataRequestError`; see ``decode(_:from:)``.
    public func patch<Value: Decodable & Sendable>(
        _ path: String, body: RequestBody, as type: Value.Type = Value.self
    ) async throws -> Value {
        try await decode(type, from: call(.patch, path).body(body))
    }

    /// Patches with a body; gives the bytes of the answer.
    ///
    /// - Throws: `DataRequestError`; see ``data(for:)``.
    @discardableResult
    public func patch(_ path: String, body: RequestBody = .none) async throws -> Data {
        try await data(for: call(.patch, path).body(body))
    }

    private func call(
        _ method: HTTPRequest.Method, _ path: String, json value: some Encodable
    ) throws -> DataRequest {
        try call(method, path).json(value, encoder: configuration.makeJSONEncoder())
    }
}
#endif
