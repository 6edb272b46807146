import Dispatch
import Locks
import Synchronization

/// What a write waits at for the commit, or the sync, that acknowledges it.
///
/// A promise of its own, since each write makes one: without a generic type the compiler knows what
/// it copies, which saves an insert a tenth of its instructions.
final class CommitWaiter: Sendable {
    private struct State {
        var result: Result<Void, any Error>?
        /// Made when something waits first, and opened after the result was set.
        var latch: Latch?
    }

    private let state = Lock(State())

    /// Acknowledges the write, or fails it; called once.
    func acknowledge(_ result: Result<Void, any Error>) {
        let latch = state.withLock { state in
            precondition(state.result == nil, "A write was acknowledged twice.")
            state.result = result
            return state.latch
        }
        latch?.open()
    }

    /// Blocks the thread until the write is acknowledged.
    ///
    /// Mostly it is: a caller with no other writes behind it has made the commit itself.
    func awaitAcknowledgement() throws {
        if let latch = pending() { latch.wait(blocking: { PoolThreads.whileBlocked($0) }) }
        try settled().get()
    }

    /// Waits until the write is acknowledged, also in a task that is cancelled: a commit is never
    /// torn.
    func awaitAcknowledgement() async throws {
        if let latch = pending() { await latch.waitToTheEnd() }
        try settled().get()
    }

    /// Calls back on a queue when the write is acknowledged; at once, and on this thread, if it is.
    func whenAcknowledged(
        on queue: DispatchQueue, _ callback: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        guard let latch = pending() else { return callback(settled()) }
        latch.whenOpen { [self] in
            let result = settled()
            queue.async { callback(result) }
        }
    }

    /// Whether the write is acknowledged.
    var isAcknowledged: Bool { state.withLock { $0.result != nil } }

    /// What opens when the write is acknowledged; `nil` if it is.
    private func pending() -> Latch? {
        state.withLock { state in
            guard state.result == nil else { return nil }
            let latch = state.latch ?? Latch()
            state.latch = latch
            return latch
        }
    }

    private func settled() -> Result<Void, any Error> {
        guard let result = state.withLock({ $0.result }) else {
            preconditionFailure("A waiting write was resumed before it was acknowledged.")
        }
        return result
    }
}
