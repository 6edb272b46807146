import Synchronization

/// A result that is set once, and that any number of threads, tasks and callbacks wait for.
package final class Promise<Value: Sendable, Failure: Error>: Sendable {
    package typealias Outcome = Result<Value, Failure>

    private struct State {
        var outcome: Outcome?
        /// Made when something waits first, and opened after the outcome was set.
        var latch: Latch?
    }

    private let state = Lock(State())

    package init() {}

    /// The outcome, if there is one.
    package var current: Outcome? { state.withLock { $0.outcome } }

    /// Sets the outcome and resumes all waiters; returns `false` if there was an outcome already,
    /// which stays.
    @discardableResult
    package func complete(_ outcome: Outcome) -> Bool {
        let (isFirst, latch) = state.withLock { state -> (Bool, Latch?) in
            guard state.outcome == nil else { return (false, nil) }
            state.outcome = outcome
            return (true, state.latch)
        }
        latch?.open()
        return isFirst
    }

    /// Blocks the thread until there is an outcome.
    ///
    /// - Parameter block: Runs its argument, which blocks the thread.
    package func wait(
        blocking block: (() -> Void) -> Void = { $0() }
    ) throws(Failure) -> Value {
        if let latch = pending() { latch.wait(blocking: block) }
        return try settled().get()
    }

    /// Waits for the outcome, also in a task that is cancelled.
    package func outcome(isolation: isolated (any Actor)? = #isolation) async -> Outcome {
        if let latch = pending() { await latch.waitToTheEnd() }
        return settled()
    }

    /// Waits for the outcome.
    ///
    /// - Throws: the failure; `CancellationError` if the task is cancelled before there is an
    ///   outcome.
    package func value(isolation: isolated (any Actor)? = #isolation) async throws -> Value {
        if let latch = pending() { try await latch.wait() }
        return try settled().get()
    }

    /// Calls back with the outcome, on the thread that completes the promise; at once, and on this
    /// thread, if there is one.
    ///
    /// - Returns: What ``forget(_:)`` takes; `nil` if the closure was called.
    @discardableResult
    package func whenComplete(_ callback: @escaping @Sendable (Outcome) -> Void) -> Int? {
        guard let latch = pending() else {
            callback(settled())
            return nil
        }
        return latch.whenOpen { [weak self] in
            if let outcome = self?.current { callback(outcome) }
        }
    }

    /// Drops a callback that was not called yet.
    package func forget(_ id: Int) { state.withLock { $0.latch }?.forget(id) }

    /// What opens when there is an outcome; `nil` if there is one.
    private func pending() -> Latch? {
        state.withLock { state in
            guard state.outcome == nil else { return nil }
            let latch = state.latch ?? Latch()
            state.latch = latch
            return latch
        }
    }

    private func settled() -> Outcome {
        guard let outcome = current else {
            preconditionFailure("A promise has resumed a waiter without having an outcome.")
        }
        return outcome
    }
}
