#if RequestCore
import DataRequestCore
import HTTPTypes
import SkiathosPlatformFoundation

/// Whether a failed delivery is retried.
enum DeliveryVerdict {
    /// Another attempt may succeed, after the server's `Retry-After` if there was one.
    case later(asked: Duration?)
    /// The same request would fail again.
    case never

    /// Only mistakes of the request itself are final.
    ///
    /// A certificate, a proxy or a server with invalid answers may be repaired later, and a
    /// request that is dead-lettered too early is lost work.
    init(_ error: any Error, _ configuration: OfflineQueue.Configuration) {
        guard let error = error as? DataRequestError else {
            self = .later(asked: nil)
            return
        }
        let asked = Self.asked(error, now: configuration.now())
        switch error.code {
        case .invalidPath, .invalidBody, .notQueueable: self = .never
        case .unexpectedStatus where error.status.map(configuration.isPermanent) == true:
            self = .never
        default: self = .later(asked: asked)
        }
    }

    private static func asked(_ error: DataRequestError, now: Date) -> Duration? {
        if case .after(let delay) = error.retry { return delay }
        return RetryAfter.duration(error.headers[.retryAfter], now: now)
    }

    /// Whether an attempt may have reached the server.
    ///
    /// An error that came before anything was sent says so, as that of a header, of an address or
    /// of the security policy does.
    ///
    /// An unknown error of a custom transport or interceptor counts as reached: a request that
    /// is dead-lettered gets attention, one that is retried forever does not.
    static func hasReachedServer(_ error: any Error) -> Bool {
        guard let error = error as? DataRequestError, error.status == nil else { return true }
        let beforehand: Set<DataRequestError.Code> = [
            .connectionFailed, .circuitOpen, .untrusted, .pinMismatch, .unauthorised,
            .environmentChanged, .cancelled,
        ]
        return !error.isUnsent && !beforehand.contains(error.code)
    }

    /// The name of a failure, without its values.
    static func code(_ error: any Error) -> String {
        (error as? DataRequestError)?.code.rawValue ?? "\(type(of: error))"
    }
}
#endif
