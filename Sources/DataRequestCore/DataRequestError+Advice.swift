#if RequestCore
public import HTTPTypes
import SkiathosPlatformFoundation

extension DataRequestError.Retry {
    /// The retry advice of a status, with the time that `Retry-After` names.
    ///
    /// ```swift
    /// DataRequestError.Retry(status: .tooManyRequests, headers: [.retryAfter: "30"])
    /// // .after(.seconds(30))
    /// ```
    ///
    /// - Parameters:
    ///   - status: 408, 425, 429, 500, 502, 503 and 504 are transient; others are not.
    ///   - headers: The headers of the answer.
    public init(status: HTTPResponse.Status, headers: HTTPFields) {
        guard [408, 425, 429, 500, 502, 503, 504].contains(status.code) else {
            self = .no
            return
        }
        self = RetryAfter.duration(headers[.retryAfter], now: Date()).map(Self.after) ?? .later
    }
}
#endif
