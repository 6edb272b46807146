#if RequestCore
import SkiathosLocks
import Synchronization

/// The outcome of sending the body of one attempt.
final class BodyWatch: Sendable {
    private struct State {
        var failure: DataRequestError?
        var hasEnded = false
    }

    private let state = Lock(State())

    /// The reason why the body could not be sent; a transport may report another error for it.
    var failure: DataRequestError? { state.withLock { $0.failure } }
    /// Whether every byte was handed out.
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    func ended() { state.withLock { $0.hasEnded = true } }

    /// Records the first failure and returns it as an error of the service.
    func failed(_ error: any Error) -> DataRequestError {
        let failure =
            error as? DataRequestError
            ?? DataRequestError(
                .invalidBody, "The stream of the body has failed.", cause: error)
        return state.withLock { state in
            let first = state.failure ?? failure
            state.failure = first
            return first
        }
    }
}
#endif
