import Logging
import SkiathosCore

/// Passes on failures that no caller awaits.
struct FailureReporter: Sendable {
    /// The handler of the service, if it has one.
    let handler: (@Sendable (ServiceFailure) -> Void)?

    /// Passes a failure on: to the handler, or to that of the store, or to the log.
    func report(_ failure: ServiceFailure, of dal: DataAccessLayer? = nil) {
        if let handler { return handler(failure) }
        if let dal {
            return dal.report(BackgroundFailure(operation: .enqueuedWrite, error: failure.error))
        }
        Logger(label: "skiathos").error(
            "A failure that no caller awaits: \(failure.error)",
            metadata: ["skiathos.operation": "\(failure.operation)"])
    }
}
