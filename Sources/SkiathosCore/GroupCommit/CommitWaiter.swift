import Dispatch
import Locks
import SkiathosStore
import Synchronization

/// What a write waits at for the commit, or the sync, that acknowledges it.
final class CommitWaiter: Sendable {
    private enum State {
        /// Nobody waits yet. Exits: all others.
        case pending
        /// Exit: `.done`.
        case thread(DispatchSemaphore)
        /// Exit: `.done`.
        case task(CheckedContinuation<Void, any Error>)
        /// Exit: `.done`.
        case callback(DispatchQueue, @Sendable (Result<Void, any Error>) -> Void)
        /// No exit.
        case done(Result<Void, any Error>)
    }

    private let state = Lock(State.pending)

    /// Tells how it ended, once; wakes whoever waits, and calls nobody on this thread.
    func resolve(_ result: Result<Void, any Error>) {
        let before = state.withLock { state in
            defer { state = .done(result) }
            return state
        }
        switch before {
        case .pending: break
        case .thread(let semaphore): semaphore.signal()
        case .task(let continuation): continuation.resume(with: result)
        case .callback(let queue, let callback): queue.async { callback(result) }
        case .done: preconditionFailure("A write was acknowledged twice.")
        }
    }

    /// Blocks until it has ended.
    func wait() throws {
        // Mostly it has: a caller with nobody behind him has made the commit himself.
        if let result = outcome { return try result.get() }
        let semaphore = DispatchSemaphore(value: 0)
        if register(.thread(semaphore)) == nil { PoolThreads.whileBlocked { semaphore.wait() } }
        try register(.pending)?.get()
    }

    /// Waits until it has ended, cancelled or not: a commit is never torn.
    func wait() async throws {
        if let result = outcome { return try result.get() }
        try await withCheckedThrowingContinuation { continuation in
            if let result = register(.task(continuation)) { continuation.resume(with: result) }
        }
    }

    /// Calls back on a queue when it has ended; at once, and on this thread, if it has.
    func whenDone(
        on queue: DispatchQueue, _ callback: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        if let result = register(.callback(queue, callback)) { callback(result) }
    }

    /// Whether it has ended.
    var isDone: Bool { outcome != nil }

    /// How it ended, if it has.
    private var outcome: Result<Void, any Error>? {
        state.withLock { if case .done(let result) = $0 { result } else { nil } }
    }

    /// Returns how it ended, or registers somebody who waits.
    private func register(_ waiting: State) -> Result<Void, any Error>? {
        state.withLock { state in
            if case .done(let result) = state { return result }
            state = waiting
            return nil
        }
    }
}
