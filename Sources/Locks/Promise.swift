import Dispatch
import Synchronization

/// A result that is set once, and that any number of threads, tasks and callbacks wait for.
///
/// Waiters are resumed in the order in which they began to wait, with no lock held.
package final class Promise<Value: Sendable, Failure: Error>: Sendable {
    package typealias Outcome = Result<Value, Failure>
    /// Called once, with the outcome or with the cancellation of the wait.
    @usableFromInline typealias Waiter = @Sendable (Result<Value, any Error>) -> Void

    @usableFromInline struct State {
        @usableFromInline var outcome: Outcome?
        /// Empty once there is an outcome.
        @usableFromInline var waiters: [(id: Int, resume: Waiter)] = []
        @usableFromInline var lastID = 0

        @inlinable init() {}
    }

    @usableFromInline let state = Lock(State())

    @inlinable package init() {}

    /// The outcome, if there is one.
    @inlinable package var current: Outcome? { state.withLock { $0.outcome } }

    /// Sets the outcome and resumes all waiters; returns `false` if there was an outcome already,
    /// which stays.
    @inlinable @discardableResult
    package func complete(_ outcome: Outcome) -> Bool {
        let waiters: [(id: Int, resume: Waiter)]? = state.withLock { state in
            guard state.outcome == nil else { return nil }
            state.outcome = outcome
            defer { state.waiters = [] }
            return state.waiters
        }
        guard let waiters else { return false }
        for waiter in waiters { waiter.resume(outcome.mapError { $0 }) }
        return true
    }

    /// Blocks the thread until there is an outcome.
    ///
    /// - Parameter block: Runs its argument, which blocks the thread.
    package func wait(
        blocking block: (() -> Void) -> Void = { $0() }
    ) throws(Failure) -> Value {
        if let outcome = current { return try outcome.get() }
        let semaphore = DispatchSemaphore(value: 0)
        add { _ in semaphore.signal() }
        block { semaphore.wait() }
        guard let outcome = current else {
            preconditionFailure("A promise has resumed a thread without having an outcome.")
        }
        return try outcome.get()
    }

    /// Waits for the outcome, also in a task that is cancelled.
    package func outcome(isolation: isolated (any Actor)? = #isolation) async -> Outcome {
        if let outcome = current { return outcome }
        await withCheckedContinuation { continuation in
            add { _ in continuation.resume() }
        }
        guard let outcome = current else {
            preconditionFailure("A promise has resumed a task without having an outcome.")
        }
        return outcome
    }

    /// Waits for the outcome.
    ///
    /// - Throws: the failure; `CancellationError` if the task is cancelled before there is an
    ///   outcome.
    package func value(isolation: isolated (any Actor)? = #isolation) async throws -> Value {
        if let outcome = current { return try outcome.get() }
        let id = makeID()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(id) { continuation.resume(with: $0) }
                // Cancelled before it was added: then the handler did not find it.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    /// Calls back with the outcome, on the thread that completes the promise; at once, and on this
    /// thread, if there is one.
    ///
    /// - Returns: What ``forget(_:)`` takes.
    @discardableResult
    package func whenComplete(_ callback: @escaping @Sendable (Outcome) -> Void) -> Int {
        let id = makeID()
        add(id) { [weak self] _ in
            // An outcome is never replaced, so it is that of the call.
            if let outcome = self?.current { callback(outcome) }
        }
        return id
    }

    /// Drops a callback that was not called yet.
    package func forget(_ id: Int) { _ = remove(id) }

    private func makeID() -> Int {
        state.withLock {
            $0.lastID += 1
            return $0.lastID
        }
    }

    /// Adds a waiter, or resumes it if there is an outcome.
    private func add(_ id: Int = 0, _ waiter: @escaping Waiter) {
        let outcome: Outcome? = state.withLock {
            if $0.outcome == nil { $0.waiters.append((id, waiter)) }
            return $0.outcome
        }
        if let outcome { waiter(outcome.mapError { $0 }) }
    }

    private func cancel(_ id: Int) { remove(id)?(.failure(CancellationError())) }

    private func remove(_ id: Int) -> Waiter? {
        state.withLock { state in
            state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0).resume }
        }
    }
}
