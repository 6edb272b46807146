#if Requests
import DataRequestCore
import HTTPTypes
import Locks
import Synchronization

/// Holds the body of a request back until the server has said that it wants it (RFC 9110, 10.1.1).
final class Expectation: Sendable {
    private enum State {
        /// Nothing was said. Exits: wanted, refused.
        case open
        /// The body may go. No exit.
        case wanted
        /// The body stays. No exit.
        case refused
    }

    private let state = Lock(State.open)
    private let changes: AsyncStream<Void>
    private let change: AsyncStream<Void>.Continuation

    /// Makes an expectation for a request that asks for a word before its body; nil for others.
    init?(_ request: OutgoingRequest) {
        guard request.headers.expectsContinue else { return nil }
        (changes, change) = AsyncStream.makeStream(of: Void.self)
    }

    /// The server wants the body, or it does not; what was said first holds.
    func settle(isWanted: Bool) {
        state.withLock { state in
            guard case .open = state else { return }
            state = isWanted ? .wanted : .refused
        }
        change.finish()
    }

    /// Returns when the body may be sent, at the latest after a limit: servers may say nothing.
    ///
    /// - Throws: `CancellationError` when the task ends; a body that is refused waits for that.
    func permission(within limit: Duration) async throws {
        let timer = Task {
            try await Task.sleep(for: limit)
            settle(isWanted: true)
        }
        defer { timer.cancel() }
        for await _ in changes {}
        try Task.checkCancellation()
        guard case .refused = state.withLock({ $0 }) else { return }
        // Held by this call, so that it ends with the task alone.
        let (end, held) = AsyncStream.makeStream(of: Void.self)
        for await _ in end {}
        held.finish()
        throw CancellationError()
    }
}

extension HTTPFields {
    /// Whether the server is asked for a word before the body comes.
    fileprivate var expectsContinue: Bool {
        guard let name = HTTPField.Name("Expect") else { return false }
        return self[values: name].contains { $0.trimmed.lowercased().equals("100-continue") }
    }
}
#endif
