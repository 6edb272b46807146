import Dispatch
import SkiathosCore

extension StorePersistenceService {
    /// Accepts a change and returns at once; a failure goes to the error handler.
    public func enqueue(_ change: ServiceChange<Void>) {
        submit(change) { [failures] result, dal in
            guard case .failure(let error) = result else { return }
            failures.report(ServiceFailure(operation: change.operation, error: error), of: dal)
        }
    }

    /// Accepts a change and returns at once.
    ///
    /// Until it has ended, it retains the service, so that its space exists.
    ///
    /// - Parameter completion: Called exactly once, and never on the caller's thread, with the
    ///   store, if that is open.
    package func submit(
        _ change: ServiceChange<Void>,
        completion: @escaping @Sendable (Result<Void, any Error>, DataAccessLayer?) -> Void
    ) {
        let refuse: @Sendable (PersistenceServiceError) -> Void = { error in
            DispatchQueue.global().async { completion(.failure(error), nil) }
        }
        let isAccepted = gate.whenOpen { outcome in
            switch outcome {
            case .success(let dal): self.submit(change, to: dal, completion)
            case .failure(let error): refuse(error)
            }
        }
        if !isAccepted { refuse(.notReady) }
    }

    private func submit(
        _ change: ServiceChange<Void>, to dal: DataAccessLayer,
        _ completion: @escaping @Sendable (Result<Void, any Error>, DataAccessLayer?) -> Void
    ) {
        dal.submitExclusiveTransaction(acknowledging: level) {
            try self.apply(change, in: $0)
        } completion: { result in
            completion(result.mapError(Self.translated), dal)
        }
    }
}
