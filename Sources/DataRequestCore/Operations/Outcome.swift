#if RequestCore
import Locks
import Synchronization

/// A result that is set once and awaited once; what is set later is dropped.
///
/// The one who waits is resumed as soon as anybody has set a result, also when the work that was
/// to make it goes on.
final class Outcome<Value: Sendable>: Sendable {
    private enum State {
        /// Nothing is known. Exits: `awaited`, `settled`.
        case open
        /// Somebody waits. Exits: `taken`.
        case awaited(CheckedContinuation<Value, any Error>)
        /// The result is there, nobody has asked. Exits: `taken`.
        case settled(Result<Value, any Error>)
        /// The result was handed out, or is on its way.
        case taken
    }

    private let state = Lock<State>(.open)

    /// Sets the result unless there is one.
    func settle(_ result: Result<Value, any Error>) {
        let waiter: CheckedContinuation<Value, any Error>? = state.withLock { state in
            switch state {
            case .open: state = .settled(result)
            case .awaited(let continuation):
                state = .taken
                return continuation
            case .settled, .taken: break
            }
            return nil
        }
        waiter?.resume(with: result)
    }

    /// Waits for the result; to be called once.
    func value() async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let ready: Result<Value, any Error>? = state.withLock { state in
                if case .settled(let result) = state {
                    state = .taken
                    return result
                }
                state = .awaited(continuation)
                return nil
            }
            if let ready { continuation.resume(with: ready) }
        }
    }
}
#endif
