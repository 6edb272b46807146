#if RequestCore
public import SkiathosPlatformFoundation

/// Reads values from bodies of some media types.
///
/// ```swift
/// struct CSVSerializer: ResponseSerializer {
///     let name = "text/csv"
///     func reads(_ type: MediaType) -> Bool { type.description == "text/csv" }
///     func decode<Value: Decodable>(
///         _ type: Value.Type, from body: Data, of mediaType: MediaType
///     ) throws -> Value { … }
/// }
/// configuration.serializers.append(CSVSerializer())   // wins over those before it
/// ```
public protocol ResponseSerializer: Sendable {
    /// The types that it reads, for messages, such as `application/json`.
    var name: String { get }

    /// Whether the serializer reads bodies of a type.
    func reads(_ type: MediaType) -> Bool

    /// Reads a value from a body that is not empty.
    ///
    /// - Throws: `DataRequestError` with `undecodable` for a body that is broken, or
    ///   `unexpectedContentType` if no body of the type gives such a value; other errors are
    ///   reported as `undecodable` by the name of their type alone.
    func decode<Value: Decodable>(
        _ type: Value.Type, from body: Data, of mediaType: MediaType
    ) throws -> Value
}

/// The serializers that every service has.
public enum ResponseSerializers {
    /// Octets, texts, HTML, forms and JSON.
    public static let standard: [any ResponseSerializer] = [
        OctetSerializer(), TextSerializer(), HTMLSerializer(), FormSerializer(), JSONSerializer(),
    ]
}
#endif
