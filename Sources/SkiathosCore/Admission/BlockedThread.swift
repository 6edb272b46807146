import Dispatch
import Locks
import Synchronization

/// A thread that waits for its turn.
final class BlockedThread: Sendable {
    /// Whether it runs a task at this moment.
    let isOfPool = PoolThreads.isCurrent
    private let semaphore = DispatchSemaphore(value: 0)
    private let place = Lock<Result<Int, any Error>?>(nil)

    /// Waits, and returns the number of the place.
    func wait() throws -> Int {
        if let place = GivingWay.awaitShortly({ place.withLock { $0 } }) { return try place.get() }
        while true {
            PoolThreads.whileBlocked { semaphore.wait() }
            if let place = place.withLock({ $0 }) { return try place.get() }
        }
    }

    func resume(_ result: Result<Int, any Error>) {
        place.withLock { $0 = result }
        semaphore.signal()
    }
}
