import Dispatch
import SkiathosLocks
import Synchronization

/// What the call of a write waits at for the commit, or the sync, that acknowledges it.
///
/// A promise of its own, since each write makes one: without a generic type the compiler knows what
/// it copies, which saves an insert a tenth of its instructions. One call waits, once.
final class CommitWaiter: Sendable {
    private enum State {
        /// Nothing waits yet. Exits: all others.
        case pending
        /// A thread waits. Exit: `acknowledged`.
        case thread(DispatchSemaphore)
        /// A task is suspended. Exit: `acknowledged`.
        case task(Continuation<Void, any Error>)
        /// A closure is to be called. Exit: `acknowledged`.
        case callback(@Sendable (Result<Void, any Error>) -> Void)
        /// The write is acknowledged, or has failed. No exit.
        case acknowledged(Result<Void, any Error>)
    }

    private let state = Lock(State.pending)

    /// Acknowledges the write, or fails it; called once.
    func acknowledge(_ result: Result<Void, any Error>) {
        let waiting = state.withLock { state in
            defer { state = .acknowledged(result) }
            return state
        }
        switch waiting {
        case .pending: break
        case .thread(let semaphore): semaphore.signal()
        case .task(let continuation): continuation.resume(with: result)
        case .callback(let callback): callback(result)
        case .acknowledged: preconditionFailure("A write was acknowledged twice.")
        }
    }

    /// Blocks the thread until the write is acknowledged.
    ///
    /// Mostly it is: a caller with no other writes behind it has made the commit itself.
    func awaitAcknowledgement() throws {
        if let result = acknowledgement { return try result.get() }
        let semaphore = DispatchSemaphore(value: 0)
        if let result = wait(as: .thread(semaphore)) { return try result.get() }
        PoolThreads.whileBlocked { semaphore.wait() }
        guard let result = acknowledgement else {
            preconditionFailure("A waiting write was resumed before it was acknowledged.")
        }
        try result.get()
    }

    /// Waits until the write is acknowledged, also in a task that is cancelled: a commit is never
    /// torn.
    func awaitAcknowledgement() async throws {
        if let result = acknowledgement { return try result.get() }
        try await withThrowingContinuation { continuation in
            if let result = wait(as: .task(continuation)) { continuation.resume(with: result) }
        }
    }

    /// Calls back on a queue when the write is acknowledged; at once, and on this thread, if it is.
    func whenAcknowledged(
        on queue: DispatchQueue, _ callback: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        let result = wait(as: .callback { result in queue.async { callback(result) } })
        if let result { callback(result) }
    }

    /// Whether the write is acknowledged.
    var isAcknowledged: Bool { acknowledgement != nil }

    private var acknowledgement: Result<Void, any Error>? {
        state.withLock { state in
            if case .acknowledged(let result) = state { result } else { nil }
        }
    }

    /// Records what waits, unless the write is acknowledged: then returns how.
    private func wait(as waiting: State) -> Result<Void, any Error>? {
        state.withLock { state in
            switch state {
            case .acknowledged(let result): return result
            case .pending:
                state = waiting
                return nil
            case .thread, .task, .callback:
                preconditionFailure("Two calls wait for the acknowledgement of one write.")
            }
        }
    }
}
