#if RequestCore
import Locks
import Synchronization

/// Cancels requests from anywhere, for code that has no task to cancel.
///
/// ```swift
/// let token = service.start(request) { result in show(result) }
/// token.cancel()   // the completion gets the error `cancelled`, once
/// ```
///
/// A token can be given to requests that are awaited, too; several may share one.
///
/// ```swift
/// let token = RequestToken()
/// let response = try await service.response(for: request.cancelled(by: token))
/// ```
///
/// A token that was cancelled stays so: requests that come later fail at once. Dropping a token
/// cancels nothing.
public final class RequestToken: Sendable {
    /// The place of one handler in the token.
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

    /// Cancels what was given the token; what has ended, and a second call, change nothing.
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

    /// Drops a handler.
    func forget(_ link: Link) {
        state.withLock { $0.handlers[link.number] = nil }
    }
}

extension DataRequest {
    /// Lets a token cancel the request, besides the task that waits for it.
    public func cancelled(by token: RequestToken) -> DataRequest {
        changed { $0.options.token = token }
    }
}
#endif
