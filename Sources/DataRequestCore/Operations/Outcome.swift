#if RequestCore
import Locks
import Synchronization

/// A result that is set once and awaited once; later results are dropped.
///
/// The waiting task is resumed as soon as a result is set, also if the work behind it
/// continues.
final class Outcome<Value: Sendable>: Sendable {
    private enum State {
        /// Neither result nor waiting task.
        ///
        /// Exits: `awaited`, `settled`.
        case open
        /// A task waits.
        ///
        /// Exits: `taken`.
        case awaited(CheckedContinuation<Value, any Error>)
        /// The result is set, no task has asked for it.
        ///
        /// Exits: `taken`.
        case settled(Result<Value, any Error>)
        /// The result was returned, or is about to be.
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

    /// Waits for the result; call once.
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
