import Locks

/// A thread that waits for its turn.
final class BlockedThread: Sendable {
    /// Whether it runs a task at this moment.
    let isOfPool = PoolThreads.isCurrent
    /// The number of the place that it is given.
    private let place = Promise<Int, any Error>()

    /// Waits, and returns the number of the place.
    func wait() throws -> Int {
        if let place = GivingWay.awaitShortly({ place.current }) { return try place.get() }
        return try place.wait(blocking: { PoolThreads.whileBlocked($0) })
    }

    func resume(_ result: Result<Int, any Error>) { place.complete(result) }
}
