#if RequestCore
public import SkiathosPlatformFoundation

/// Reads `text/…` to a `String`, or to what such a text describes: numbers and Booleans.
///
/// The charset is the one of a byte order mark, else of the parameter, else UTF-8. UTF-8, UTF-16,
/// US-ASCII and ISO 8859-1 are read.
public struct TextSerializer: ResponseSerializer {
    /// Makes a serializer.
    public init() {}

    /// `text/plain`.
    public var name: String { "text/plain" }

    /// Whether the type is a text.
    public func reads(_ type: MediaType) -> Bool { type.type == "text" }

    /// Decodes a value.
    public func decode<Value: Decodable>(
        _ type: Value.Type, from body: Data, of mediaType: MediaType
    ) throws -> Value {
        let text = try TextEncoding.decode(body, as: mediaType)
        if let value = text as? Value { return value }
        guard let described = type as? any LosslessStringConvertible.Type else {
            throw DataRequestError.wrongType(got: mediaType, for: type)
        }
        let trimmed = text.trimmingPrefix(while: \.isWhitespace).reversed()
            .trimmingPrefix(while: \.isWhitespace).reversed()
        if let value = described.init(String(trimmed)) as? Value { return value }
        throw DataRequestError(.undecodable, "The text of the answer cannot be read as \(type).")
    }
}

/// Reads `text/html` and XHTML to a `String`, and to nothing else.
public struct HTMLSerializer: ResponseSerializer {
    /// Makes a serializer.
    public init() {}

    /// `text/html`.
    public var name: String { "text/html" }

    /// Whether the type is HTML or XHTML.
    public func reads(_ type: MediaType) -> Bool {
        ["text/html", "application/xhtml+xml"].contains(type.description)
    }

    /// Decodes a `String`.
    public func decode<Value: Decodable>(
        _ type: Value.Type, from body: Data, of mediaType: MediaType
    ) throws -> Value {
        guard let value = try TextEncoding.decode(body, as: mediaType) as? Value else {
            throw DataRequestError.wrongType(got: mediaType, for: type)
        }
        return value
    }
}

/// Reads `application/octet-stream` to `Data` or `[UInt8]`.
public struct OctetSerializer: ResponseSerializer {
    /// Makes a serializer.
    public init() {}

    /// `application/octet-stream`.
    public var name: String { "application/octet-stream" }

    /// Whether the type is `application/octet-stream`.
    public func reads(_ type: MediaType) -> Bool { type.description == name }

    /// Gives the bytes.
    public func decode<Value: Decodable>(
        _ type: Value.Type, from body: Data, of mediaType: MediaType
    ) throws -> Value {
        if let value = body as? Value { return value }
        if let value = Array(body) as? Value { return value }
        throw DataRequestError.wrongType(got: mediaType, for: type)
    }
}
#endif
