#if RequestCore
import Locks
import PlatformFoundation
import Synchronization

/// Passes a body from the operation that receives it to the caller that reads it.
///
/// It buffers one piece. The sender waits until the reader has taken the previous one, so a
/// slow reader slows down the connection (backpressure). One sender and one reader at a time.
final class BodyChannel: Sendable {
    private enum State {
        /// Neither side waits. Exits: all others.
        case idle
        /// A piece waits to be taken. Exits: `idle` by the reader, `failed`, `ended`.
        case offered(Data, Continuation<Void, any Error>)
        /// The reader waits. Exits: `idle` by the sender, `failed`, `ended`.
        case awaited(Continuation<Data?, any Error>)
        /// All was read.
        case ended
        /// It ended early; no more pieces are returned.
        case failed(any Error)
    }

    private let state = Lock<State>(.idle)

    /// Passes a piece to the reader and returns when it was taken.
    func send(_ piece: Data) async throws {
        try await withThrowingContinuation {
            (sender: Continuation<Void, any Error>) in
            let wakes = state.withLock { state -> (@Sendable () -> Void)? in
                switch state {
                case .idle:
                    state = .offered(piece, sender)
                    return nil
                case .awaited(let reader):
                    state = .idle
                    return {
                        reader.resume(returning: piece)
                        sender.resume()
                    }
                case .failed(let error): return { sender.resume(throwing: error) }
                case .offered, .ended:
                    return { sender.resume(throwing: CancellationError()) }
                }
            }
            wakes?()
        }
    }

    /// Ends the body, with or without an error; only the first end counts.
    func finish(_ error: (any Error)?) {
        let wakes = state.withLock { state -> (@Sendable () -> Void)? in
            let before = state
            switch before {
            case .ended, .failed: return nil
            case .idle, .offered, .awaited: state = error.map(State.failed) ?? .ended
            }
            switch before {
            case .offered(_, let sender):
                return { sender.resume(throwing: error ?? CancellationError()) }
            case .awaited(let reader):
                return {
                    if let error {
                        reader.resume(throwing: error)
                    } else {
                        reader.resume(returning: nil)
                    }
                }
            case .idle, .ended, .failed: return nil
            }
        }
        wakes?()
    }

    /// Takes the next piece, or nil at the end.
    func next() async throws -> Data? {
        try await withThrowingContinuation { reader in
            let wakes = state.withLock { state -> (@Sendable () -> Void)? in
                switch state {
                case .idle:
                    state = .awaited(reader)
                    return nil
                case .offered(let piece, let sender):
                    state = .idle
                    return {
                        reader.resume(returning: piece)
                        sender.resume()
                    }
                case .ended: return { reader.resume(returning: nil) }
                case .failed(let error): return { reader.resume(throwing: error) }
                case .awaited: return { reader.resume(throwing: Self.secondReader) }
                }
            }
            wakes?()
        }
    }

    private static var secondReader: DataRequestError {
        DataRequestError(
            .cancelled, "A body is read by two loops at once. Read it once, in one loop.")
    }
}
#endif
