#if RequestCore
import HTTPTypes
public import SkiathosPlatformFoundation

extension DataRequestService {
    /// Sends a request and decodes the answer by its `Content-Type`.
    ///
    /// ```swift
    /// let tracks = try await service.decode([Track].self, from: DataRequest(.get, "tracks"))
    /// ```
    ///
    /// One value or many is a matter of the type. A body without bytes gives nil for an optional,
    /// `EmptyBody`, an empty `String` or `Data`; `Data` gets the bytes whatever their type.
    ///
    /// - Throws: `DataRequestError`; `unexpectedStatus`, `unexpectedContentType` for a type that no
    ///   serializer reads or that has no such values, `undecodable` with the place of what is wrong,
    ///   `tooLarge`, and what sending throws.
    public func decode<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self, from request: DataRequest
    ) async throws -> Value {
        try await answer(type, for: request, using: nil).value
    }

    /// Sends a request and decodes the answer with a serializer, whatever its `Content-Type` says.
    ///
    /// ```swift
    /// // A server that calls its JSON text/html.
    /// let track = try await service.decode(Track.self, from: request, using: JSONSerializer())
    /// ```
    ///
    /// - Throws: As ``decode(_:from:)``.
    public func decode<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self, from request: DataRequest,
        using serializer: some ResponseSerializer
    ) async throws -> Value {
        try await answer(type, for: request, using: serializer as any ResponseSerializer).value
    }

    /// Sends a request and returns the bytes of the answer.
    ///
    /// ```swift
    /// let cover = try await service.data(for: DataRequest(.get, "covers/7"))
    /// ```
    ///
    /// - Throws: `DataRequestError`; `unexpectedStatus`, `tooLarge`, and what sending throws.
    public func data(for request: DataRequest) async throws -> Data {
        try await perform(request) { response in
            try await self.body(of: self.checked(response, for: request), for: request)
        }
    }

    /// Sends a request and ignores the body of the answer.
    ///
    /// ```swift
    /// try await service.send(DataRequest(.delete, "tracks/7"))
    /// ```
    ///
    /// - Throws: `DataRequestError`; `unexpectedStatus`, `tooLarge`, and what sending throws.
    public func send(_ request: DataRequest) async throws { _ = try await data(for: request) }

    func answer<Value: Decodable & Sendable>(
        _ type: Value.Type, for request: DataRequest, using serializer: (any ResponseSerializer)?
    ) async throws -> Answer<Value> {
        let reader = valueReader
        return try await perform(request) { response in
            let response = try await self.checked(response, for: request)
            let body = try await self.body(of: response, for: request)
            do {
                let value = try reader.decode(
                    type, from: body, headers: response.headers, using: serializer)
                return Answer(value: value, head: ResponseHead(response))
            } catch var error as DataRequestError {
                error.status = response.status
                error.headers = response.headers
                throw error
            }
        }
    }

    private func body(
        of response: IncomingResponse, for request: DataRequest
    ) async throws -> Data {
        let limit = request.options.maximumBodySize ?? configuration.maximumBodySize
        do {
            return try await response.body.collect(upTo: limit)
        } catch var error as DataRequestError {
            error.status = error.status ?? response.status
            throw error
        }
    }
}
#endif
