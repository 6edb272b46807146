import Dispatch
import SkiathosLocks
import Synchronization

/// The observers of a query that pause between two values, each until a moment.
final class Pauses: Sendable {
    private struct State {
        var waiters: [Int: Continuation<Void, Never>] = [:]
        var lastID = 0
        var isEnded = false
    }

    /// Never held while a continuation is resumed.
    private let state = Lock(State())

    /// Waits until a moment, the end of the query, or that the task is cancelled.
    ///
    /// - Returns: Whether the observer goes on; `false` if the task was cancelled.
    func pause(until moment: ContinuousClock.Instant) async -> Bool {
        let rest = ContinuousClock.now.duration(to: moment)
        guard rest > .zero else { return !Task.isCancelled }
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withContinuation { continuation in
                guard add(id, continuation) else { return continuation.resume() }
                DispatchQueue.global().asyncAfter(
                    deadline: .now() + .nanoseconds(rest.nanoseconds)
                ) { [weak self] in self?.resume(id) }
            }
        } onCancel: {
            resume(id)
        }
        return !Task.isCancelled
    }

    /// Ends all pauses, and those that would begin later.
    func end() {
        let waiters = state.withLock { state in
            state.isEnded = true
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    private func add(_ id: Int, _ continuation: Continuation<Void, Never>) -> Bool {
        state.withLock { state in
            // Cancelled before the handler could find the waiter.
            guard !state.isEnded, !Task.isCancelled else { return false }
            state.waiters[id] = continuation
            return true
        }
    }

    private func resume(_ id: Int) {
        state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
    }
}
