#if RequestCore
import DataRequestCore
import HTTPTypes
import PlatformFoundation

/// What a failed delivery says of the next one.
enum DeliveryVerdict {
    /// Another attempt may succeed, after the time that the server has asked for if it has.
    case later(asked: Duration?)
    /// The same request would fail again.
    case never

    /// Only what is the request's own fault is final: a certificate, a proxy or a server that talks
    /// nonsense may be right tomorrow, and a request that is given up too early is a loss.
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

    /// Whether an attempt may have come to the server, so that the server has had a say.
    ///
    /// What is thrown by a transport or a step of the application's own and is not known here counts as
    /// having come there: a request that ends up set aside is looked at, one that is tried forever is not.
    static func hasReachedServer(_ error: any Error) -> Bool {
        guard let error = error as? DataRequestError, error.status == nil else { return true }
        let beforehand: Set<DataRequestError.Code> = [
            .connectionFailed, .circuitOpen, .untrusted, .pinMismatch, .unauthorised,
            .environmentChanged, .cancelled,
        ]
        return !error.isUnsent && !beforehand.contains(error.code)
    }

    /// The name of a failure, which says nothing of its values.
    static func code(_ error: any Error) -> String {
        (error as? DataRequestError)?.code.rawValue ?? "\(type(of: error))"
    }
}
#endif
