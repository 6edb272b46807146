import Locks
import Synchronization

/// A result that is set once, for any number of waiting tasks and threads.
///
/// Waiting tasks are resumed without a lock held. A result that is already set is returned at
/// once.
final class Promise<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, ServiceLocatorError>
    private typealias Waiter = @Sendable (Result<Value, any Error>) -> Void

    private struct State {
        var outcome: Outcome?
        var waiters: [Int: Waiter] = [:]
        var nextID = 0
    }

    private let state = Lock(State())

    /// Sets the outcome and resumes all waiting tasks and threads; only the first call counts.
    func complete(_ outcome: Outcome) {
        let waiters: [Int: Waiter] = state.withLock { state in
            guard state.outcome == nil else { return [:] }
            state.outcome = outcome
            defer { state.waiters = [:] }
            return state.waiters
        }
        for waiter in waiters.values { waiter(outcome.mapError { $0 }) }
    }

    /// Blocks the thread until the outcome is set.
    func wait() throws(ServiceLocatorError) -> Value {
        if state.withLock({ $0.outcome == nil }) {
            let gate = Gate()
            add(makeID()) { _ in gate.open() }
            gate.wait()
        }
        guard let outcome = state.withLock({ $0.outcome }) else {
            return try wait()  // unreachable: the gate opens after the outcome was set
        }
        return try outcome.get()
    }

    /// The outcome; suspends the task until it is set.
    ///
    /// A task that is cancelled while it waits gets a `CancellationError`. The awaited work
    /// continues.
    func value(isolation: isolated (any Actor)? = #isolation) async throws -> Value {
        if let outcome = state.withLock({ $0.outcome }) { return try outcome.get() }
        let id = makeID()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(id) { continuation.resume(with: $0) }
                // If the task was cancelled before the waiter was added, the handler did not
                // find it.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func makeID() -> Int {
        state.withLock {
            $0.nextID += 1
            return $0.nextID
        }
    }

    private func add(_ id: Int, _ waiter: @escaping Waiter) {
        let outcome: Outcome? = state.withLock {
            if $0.outcome == nil { $0.waiters[id] = waiter }
            return $0.outcome
        }
        if let outcome { waiter(outcome.mapError { $0 }) }
    }

    private func cancel(_ id: Int) {
        let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
        waiter?(.failure(CancellationError()))
    }
}
