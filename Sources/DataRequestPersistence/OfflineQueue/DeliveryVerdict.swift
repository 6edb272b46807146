#if RequestCore
import DataRequestCore
import HTTPTypes

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
        let asked = Self.asked(error)
        switch error.code {
        case .invalidPath, .invalidBody, .notQueueable: self = .never
        case .unexpectedStatus where error.status.map(configuration.isPermanent) == true:
            self = .never
        default: self = .later(asked: asked)
        }
    }

    private static func asked(_ error: DataRequestError) -> Duration? {
        if case .after(let delay) = error.retry { return delay }
        return error.headers[.retryAfter].flatMap { Int64($0) }.map { .seconds(max(0, $0)) }
    }

    /// The name of a failure, which says nothing of its values.
    static func code(_ error: any Error) -> String {
        (error as? DataRequestError)?.code.rawValue ?? "\(type(of: error))"
    }
}
#endif
