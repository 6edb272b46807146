#if RequestCore
import HTTPTypes
import SkiathosPlatformFoundation

/// Reads values from whole bodies, by their media type.
struct ValueReader: Sendable {
    let serializers: [any ResponseSerializer]
    let assumed: MediaType?
    let decoder: JSONDecoder

    /// The value of a body.
    ///
    /// `Data` gets the bytes whatever their type, and `EmptyBody` ignores them.
    ///
    /// - Parameter forced: The serializer that reads the body whatever its type.
    func decode<Value: Decodable>(
        _ type: Value.Type, from body: Data, headers: HTTPFields,
        using forced: (any ResponseSerializer)? = nil
    ) throws -> Value {
        if let value = EmptyBody() as? Value { return value }
        guard !body.isEmpty else { return try empty(type) }
        if forced == nil, let value = body as? Value { return value }
        let mediaType = try mediaType(of: headers, for: type, isForced: forced != nil)
        guard let serializer = forced ?? serializers.last(where: { $0.reads(mediaType) }) else {
            throw DataRequestError(
                .unexpectedContentType,
                "The answer is \(mediaType), which no serializer reads. They read "
                    + "\(serializers.map(\.name).joined(separator: ", ")).")
        }
        let json = (serializer as? JSONSerializer)?.decoding(with: decoder)
        return try decode(type, from: body, of: mediaType, using: json ?? serializer)
    }

    private func decode<Value: Decodable>(
        _ type: Value.Type, from body: Data, of mediaType: MediaType,
        using serializer: any ResponseSerializer
    ) throws -> Value {
        do {
            return try serializer.decode(type, from: body, of: mediaType)
        } catch let error as DataRequestError {
            throw error
        } catch let error as DecodingError {
            throw DataRequestError.undecodable(type, mediaType, error)
        } catch {
            throw DataRequestError(
                .undecodable,
                "\(type) cannot be read from \(mediaType); \(serializer.name) gave "
                    + "\(Swift.type(of: error)).")
        }
    }

    private func empty<Value>(_ type: Value.Type) throws -> Value {
        if let type = type as? any EmptyDecodable.Type, let value = type.emptyValue as? Value {
            return value
        }
        throw DataRequestError(
            .undecodable,
            "The body of the answer is empty, and \(type) was expected. Ask for an optional if that "
                + "may happen.")
    }

    private func mediaType(
        of headers: HTTPFields, for type: Any.Type, isForced: Bool
    ) throws -> MediaType {
        if let text = headers[.contentType] {
            if let mediaType = MediaType(text) { return mediaType }
            if isForced { return .octetStream }
            throw DataRequestError(
                .unexpectedContentType, "The Content-Type of the answer is not a media type.")
        }
        let isText = type == String.self || type == String?.self
        if let assumed = isText ? .text : assumed { return assumed }
        if isForced { return .octetStream }
        throw DataRequestError(
            .unexpectedContentType,
            "The answer has no Content-Type. Name a serializer, or a type to assume.")
    }
}
#endif
