#if Requests
import DataRequestCore
import HTTPTypes
import SkiathosLocks
import Synchronization

/// Delays the body of a request until the server accepts it by 100-continue (RFC 9110,
/// 10.1.1).
final class Expectation: Sendable {
    private enum State {
        /// The server has not answered.
        ///
        /// Exits: wanted, refused.
        case open
        /// The body may be sent.
        ///
        /// No exit.
        case wanted
        /// The body is not sent.
        ///
        /// No exit.
        case refused
    }

    private let state = Lock(State.open)
    private let changes: AsyncStream<Void>
    private let change: AsyncStream<Void>.Continuation

    /// Makes an expectation for a request with `Expect: 100-continue`; nil for others.
    init?(_ request: OutgoingRequest) {
        guard request.headers.expectsContinue else { return nil }
        (changes, change) = AsyncStream.makeStream(of: Void.self)
    }

    /// Records whether the server accepts the body; only the first call counts.
    func settle(isWanted: Bool) {
        state.withLock { state in
            guard case .open = state else { return }
            state = isWanted ? .wanted : .refused
        }
        change.finish()
    }

    /// Returns when the body may be sent, at the latest after a limit: servers may not answer.
    ///
    /// - Throws: `CancellationError` when the task ends; a body that is refused waits for that.
    func permission(within limit: Duration) async throws {
        let timer = Task {
            try await Task.sleep(for: limit.waitable)
            settle(isWanted: true)
        }
        defer { timer.cancel() }
        for await _ in changes {}
        try Task.checkCancellation()
        guard case .refused = state.withLock({ $0 }) else { return }
        // Retained by this call, so that it ends only with the task.
        let (end, held) = AsyncStream.makeStream(of: Void.self)
        for await _ in end {}
        held.finish()
        throw CancellationError()
    }
}

extension HTTPFields {
    /// Whether the request has `Expect: 100-continue`.
    fileprivate var expectsContinue: Bool {
        guard let name = HTTPField.Name("Expect") else { return false }
        return self[values: name].contains { $0.trimmed.lowercased().equals("100-continue") }
    }
}
#endif
