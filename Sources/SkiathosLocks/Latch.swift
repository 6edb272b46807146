import Dispatch
import Synchronization

/// Opens once, and lets all that wait for that go on: threads, tasks and callbacks.
///
/// They are resumed in the order in which they began to wait, with no lock held.
package final class Latch: Sendable {
    /// Called once: when the latch opens, or with the error of a wait that was cancelled.
    private typealias Waiter = @Sendable ((any Error)?) -> Void

    private struct State {
        var isOpen = false
        /// Empty once it is open.
        var waiters: [(id: Int, resume: Waiter)] = []
        var lastID = 0
    }

    private let state = Lock(State())

    package init() {}

    /// Resumes everything that waits; does nothing if the latch is open.
    package func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume(nil) }
    }

    /// Blocks the thread until the latch opens.
    ///
    /// - Parameter block: Runs its argument, which blocks the thread.
    package func wait(blocking block: (() -> Void) -> Void = { $0() }) {
        let semaphore = DispatchSemaphore(value: 0)
        add { _ in semaphore.signal() }
        block { semaphore.wait() }
    }

    /// Waits until the latch opens, also in a task that is cancelled.
    package func waitToTheEnd(isolation: isolated (any Actor)? = #isolation) async {
        await withContinuation { continuation in
            add { _ in continuation.resume() }
        }
    }

    /// Waits until the latch opens.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before that.
    package func wait(isolation: isolated (any Actor)? = #isolation) async throws {
        let id = makeID()
        try await withTaskCancellationHandler {
            try await withThrowingContinuation {
                (continuation: Continuation<Void, any Error>) in
                add(id) { error in
                    if let error {
                        continuation.resume(throwing: error)
                    } else {
                        continuation.resume()
                    }
                }
                // Cancelled before it was added: then the handler did not find it.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    /// Calls back when the latch opens, on the thread that opens it; at once, and on this thread, if
    /// it is open.
    ///
    /// - Returns: What ``forget(_:)`` takes.
    @discardableResult
    package func whenOpen(_ callback: @escaping @Sendable () -> Void) -> Int {
        let id = makeID()
        add(id) { _ in callback() }
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

    /// Adds a waiter, or resumes it if the latch is open.
    private func add(_ id: Int = 0, _ waiter: @escaping Waiter) {
        let isOpen = state.withLock {
            if !$0.isOpen { $0.waiters.append((id, waiter)) }
            return $0.isOpen
        }
        if isOpen { waiter(nil) }
    }

    private func cancel(_ id: Int) { remove(id)?(CancellationError()) }

    private func remove(_ id: Int) -> Waiter? {
        state.withLock { state in
            state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0).resume }
        }
    }
}
