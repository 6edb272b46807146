#if RequestCore
import HTTPTypes
import SkiathosPlatformFoundation

/// The type that bodies of unexpected statuses are decoded to.
///
/// ```swift
/// configuration.failureBody = .decoding(APIProblem.self)
/// ```
public struct FailureBody: Sendable {
    let decode: @Sendable (ValueReader, Data, HTTPFields) -> (any Sendable)?

    /// Decodes them to a type.
    public static func decoding<Value: Decodable & Sendable>(_ type: Value.Type) -> FailureBody {
        FailureBody { reader, body, headers in
            try? reader.decode(type, from: body, headers: headers)
        }
    }
}

extension DataRequest {
    /// Sets the type that the body of an unexpected status is decoded to.
    ///
    /// ```swift
    /// let request = DataRequest(.get, "tracks/7").failing(with: APIProblem.self)
    /// do { … } catch let error as DataRequestError { print(error.decoded(APIProblem.self)) }
    /// ```
    ///
    /// The error is `unexpectedStatus` in any case. A body that cannot be decoded leaves
    /// `failureValue` nil; its start is in `body` either way.
    public func failing<Value: Decodable & Sendable>(with type: Value.Type) -> DataRequest {
        changed { $0.failureBody = .decoding(type) }
    }
}
#endif
