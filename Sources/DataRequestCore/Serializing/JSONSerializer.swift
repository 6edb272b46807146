#if RequestCore
public import SkiathosPlatformFoundation

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
///
/// For all answers at once, set `Configuration.decoder` instead.
public struct JSONSerializer: ResponseSerializer {
    /// Nil until a service has set its decoder.
    private var makeDecoder: (@Sendable () -> JSONDecoder)?

    /// Makes a serializer that decodes with the `Configuration.decoder` of the service that uses it.
    public init() {}

    /// Makes a serializer with a decoder of its own.
    ///
    /// - Parameter makeDecoder: Makes the decoder of one body.
    public init(makeDecoder: @escaping @Sendable () -> JSONDecoder) {
        self.makeDecoder = makeDecoder
    }

    /// The same serializer, which decodes with a decoder unless it has one of its own.
    func decoding(with decoder: JSONDecoder) -> JSONSerializer {
        makeDecoder == nil ? JSONSerializer { decoder } : self
    }

    /// `application/json`.
    public var name: String { "application/json" }

    /// Whether the type is JSON, or written in JSON.
    public func reads(_ type: MediaType) -> Bool { type.isJSON }

    /// Decodes a value.
    public func decode<Value: Decodable>(
        _ type: Value.Type, from body: Data, of mediaType: MediaType
    ) throws -> Value {
        try (makeDecoder?() ?? JSONDecoder()).decode(type, from: body)
    }
}
#endif
