import SkiathosLocks
import Synchronization

/// A thread that waits for its slot.
final class BlockedThread: Sendable {
    /// Whether it runs a task at this moment.
    let isOfPool = PoolThreads.isCurrent
    /// The number of its slot; set before the latch opens.
    private let place = Lock<Result<Int, any Error>?>(nil)
    private let latch = Latch()

    /// Waits, and returns the number of the slot.
    func wait() throws -> Int {
        if let place = BriefWait.value({ place.withLock { $0 } }) { return try place.get() }
        latch.wait(blocking: { PoolThreads.whileBlocked($0) })
        guard let place = place.withLock({ $0 }) else {
            preconditionFailure("A thread that waits for its turn was resumed without a place.")
        }
        return try place.get()
    }

    func resume(_ result: Result<Int, any Error>) {
        place.withLock { $0 = result }
        latch.open()
    }
}
