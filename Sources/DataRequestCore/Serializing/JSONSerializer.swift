#if RequestCore
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Reads `application/json` and every type that ends in `+json`.
///
/// ```swift
/// configuration.serializers.append(
///     JSONSerializer {
///         let decoder = JSONDecoder()
///         decoder.dateDecodingStrategy = .iso8601
///         return decoder
///     })
/// ```
public struct JSONSerializer: ResponseSerializer {
    private let makeDecoder: @Sendable () -> JSONDecoder

    /// Makes a serializer.
    ///
    /// - Parameter makeDecoder: Makes the decoder of one body.
    public init(makeDecoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() }) {
        self.makeDecoder = makeDecoder
    }

    /// `application/json`.
    public var name: String { "application/json" }

    /// Whether the type is JSON, or written in JSON.
    public func reads(_ type: MediaType) -> Bool { type.isJSON }

    /// Decodes a value.
    public func decode<Value: Decodable>(
        _ type: Value.Type, from body: Data, of mediaType: MediaType
    ) throws -> Value {
        try makeDecoder().decode(type, from: body)
    }
}
#endif
