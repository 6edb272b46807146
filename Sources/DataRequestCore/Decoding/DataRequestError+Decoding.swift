#if RequestCore
import SkiathosPlatformFoundation

extension DataRequestError {
    /// The body of an unexpected status as a value, if it was decoded to one or can be.
    ///
    /// ```swift
    /// catch let error as DataRequestError where error.code == .unexpectedStatus {
    ///     show(error.decoded(ProblemDetails.self)?.title)
    /// }
    /// ```
    ///
    /// The type that the request or the service names was decoded by the serializer of its
    /// media type. Other types are tried as JSON here.
    public func decoded<Value: Decodable>(_ type: Value.Type) -> Value? {
        if let value = failureValue as? Value { return value }
        return try? JSONDecoder().decode(type, from: body)
    }

    static func wrongType(got mediaType: MediaType, for type: Any.Type) -> DataRequestError {
        DataRequestError(
            .unexpectedContentType,
            "The answer is \(mediaType), of which \(type) cannot be read; another type, such as "
                + "\(MediaType.json), was expected.")
    }

    /// The place and the kind of the mistake; neither the value nor the decoder's message,
    /// which may contain the value.
    static func undecodable(
        _ type: Any.Type, _ mediaType: MediaType, _ error: DecodingError
    ) -> DataRequestError {
        let (path, reason): ([any CodingKey], String) =
            switch error {
            case .typeMismatch(let expected, let context):
                (context.codingPath, "a value that is not of type \(expected)")
            case .valueNotFound(let expected, let context):
                (context.codingPath, "null instead of \(expected)")
            case .keyNotFound(let key, let context):
                (context.codingPath, "no member \(CodingPath.name(of: key))")
            case .dataCorrupted(let context): (context.codingPath, "a value that is not valid")
            @unknown default: ([], "something unexpected")
            }
        return DataRequestError(
            .undecodable,
            "\(type) cannot be read from \(mediaType): there is \(reason) at \(CodingPath(path)).")
    }
}
#endif
