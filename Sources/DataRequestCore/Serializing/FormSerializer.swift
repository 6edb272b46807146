#if RequestCore
public import SkiathosPlatformFoundation

/// Reads `application/x-www-form-urlencoded` to flat values and to dictionaries.
///
/// Properties are texts, numbers, Booleans, dates in ISO 8601, data in base 64, and lists of them.
public struct FormSerializer: ResponseSerializer {
    /// Makes a serializer.
    public init() {}

    /// `application/x-www-form-urlencoded`.
    public var name: String { "application/x-www-form-urlencoded" }

    /// Whether the type is a form.
    public func reads(_ type: MediaType) -> Bool { type.description == name }

    /// Decodes a flat value.
    public func decode<Value: Decodable>(
        _ type: Value.Type, from body: Data, of mediaType: MediaType
    ) throws -> Value {
        try Value(from: FormDecoder(items: FormText.decode(body), codingPath: []))
    }
}
#endif
