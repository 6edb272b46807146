import Dispatch
import Locks

/// What a write waits at for the commit, or the sync, that acknowledges it.
typealias CommitWaiter = Promise<Void, any Error>

extension Promise where Value == Void, Failure == any Error {
    /// Acknowledges the write, or fails it; called once.
    func acknowledge(_ result: Result<Void, any Error>) {
        guard complete(result) else { preconditionFailure("A write was acknowledged twice.") }
    }

    /// Blocks the thread until the write is acknowledged.
    ///
    /// Mostly it is: a caller with no other writes behind it has made the commit itself.
    func awaitAcknowledgement() throws { try wait(blocking: { PoolThreads.whileBlocked($0) }) }

    /// Waits until the write is acknowledged, also in a task that is cancelled: a commit is never
    /// torn.
    func awaitAcknowledgement() async throws { try await outcome().get() }

    /// Calls back on a queue when the write is acknowledged; at once, and on this thread, if it is.
    func whenAcknowledged(
        on queue: DispatchQueue, _ callback: @escaping @Sendable (Outcome) -> Void
    ) {
        if let current { return callback(current) }
        whenComplete { result in queue.async { callback(result) } }
    }

    /// Whether the write is acknowledged.
    var isAcknowledged: Bool { current != nil }
}
