#if RequestCore
import SkiathosLocks
import Synchronization

/// Cancels requests from anywhere, for code that has no task to cancel.
///
/// ```swift
/// let token = service.start(request) { result in show(result) }
/// token.cancel()   // the completion gets the error `cancelled`, once
/// ```
///
/// A token also works for awaited requests; several requests may share one.
///
/// ```swift
/// let token = RequestToken()
/// let response = try await service.response(for: request.cancelled(by: token))
/// ```
///
/// A token that was cancelled stays cancelled: later requests with it fail at once. Dropping a
/// token cancels nothing.
public final class RequestToken: Sendable {
    /// Identifies one handler of the token.
    struct Link: Sendable { fileprivate let number: Int }

    private struct State {
        var isCancelled = false
        var next = 0
        var handlers: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Lock(State())

    /// Makes a token.
    public init() {}

    /// Whether it was cancelled.
    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Cancels all requests with the token.
    ///
    /// Requests that have ended are not affected. A second call has no effect.
    public func cancel() {
        let handlers = state.withLock { state in
            state.isCancelled = true
            defer { state.handlers = [:] }
            return Array(state.handlers.values)
        }
        for handler in handlers { handler() }
    }

    /// Calls the closure once when the token is cancelled, at once if it is already.
    func onCancel(_ handler: @escaping @Sendable () -> Void) -> Link {
        let link: Link? = state.withLock {
            guard !$0.isCancelled else { return nil }
            $0.next += 1
            $0.handlers[$0.next] = handler
            return Link(number: $0.next)
        }
        if let link { return link }
        handler()
        return Link(number: 0)
    }

    /// Removes a handler.
    func forget(_ link: Link) {
        state.withLock { $0.handlers[link.number] = nil }
    }
}

extension DataRequest {
    /// Makes the request cancellable by a token, besides the task that waits for it.
    public func cancelled(by token: RequestToken) -> DataRequest {
        changed { $0.options.token = token }
    }
}
#endif
