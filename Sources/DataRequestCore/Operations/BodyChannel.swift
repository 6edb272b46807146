#if RequestCore
import SkiathosLocks
import SkiathosPlatformFoundation
import Synchronization

/// Passes a body from the operation that receives it to the caller that reads it.
///
/// The sender receives a piece when the reader requests one, not before, so a slow reader slows down
/// the connection (backpressure). One sender and one reader at a time.
final class BodyChannel: Sendable {
    private typealias Sender = Continuation<Void, any Error>
    private typealias Reader = Continuation<Data?, any Error>

    private enum State {
        /// Neither side waits. Exits: all others.
        case idle
        /// The sender waits for a request, with a piece if it has one that was not requested. Exits:
        /// `requested` by the reader (or the same without the piece), `failed`, `ended`.
        case waiting(Sender, Data?)
        /// The reader waits. Exits: `waiting` by the sender, `failed`, `ended`.
        case requested(Reader)
        /// All was read.
        case ended
        /// It ended early; no more pieces are returned.
        case failed(any Error)
    }

    private let state = Lock<State>(.idle)

    /// Passes a piece to the reader, and returns when the next one is requested.
    func send(_ piece: Data) async throws { try await wait(with: piece) }

    /// Returns when a piece is requested.
    func untilRequested() async throws { try await wait(with: nil) }

    private func wait(with piece: Data?) async throws {
        try await withThrowingContinuation { (sender: Sender) in
            let wakes = state.withLock { state -> (@Sendable () -> Void)? in
                switch state {
                case .idle:
                    state = .waiting(sender, piece)
                    return nil
                case .requested(let reader):
                    guard let piece else { return { sender.resume() } }
                    state = .waiting(sender, nil)
                    return { reader.resume(returning: piece) }
                case .failed(let error): return { sender.resume(throwing: error) }
                case .waiting, .ended:
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
            case .idle, .waiting, .requested: state = error.map(State.failed) ?? .ended
            }
            switch before {
            case .waiting(let sender, _):
                return { sender.resume(throwing: error ?? CancellationError()) }
            case .requested(let reader):
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

    /// Requests the next piece, and returns it, or nil at the end.
    func next() async throws -> Data? {
        try await withThrowingContinuation { (reader: Reader) in
            let wakes = state.withLock { state -> (@Sendable () -> Void)? in
                switch state {
                case .idle:
                    state = .requested(reader)
                    return nil
                case .waiting(let sender, let piece?):
                    state = .waiting(sender, nil)
                    return { reader.resume(returning: piece) }
                case .waiting(let sender, nil):
                    state = .requested(reader)
                    return { sender.resume() }
                case .ended: return { reader.resume(returning: nil) }
                case .failed(let error): return { reader.resume(throwing: error) }
                case .requested: return { reader.resume(throwing: Self.secondReader) }
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
