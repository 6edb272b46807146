import Dispatch
import Locks
import SkiathosStore
import Synchronization

/// Runs a closure that blocks on a thread outside the pool of Swift's tasks.
func offPool<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    let outcome = Outcome<R>()
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
            let result = Result { try body() }
            outcome.result.withLock { $0 = result }
            continuation.resume()
        }
    }
    guard let result = outcome.result.withLock({ $0 }) else {
        preconditionFailure("A closure that ran off the pool has left no result.")
    }
    return try result.get()
}

/// What a closure on another thread came to.
///
/// The thread sanitizer does not see that a task follows who resumes it, if that happens before it
/// sleeps; it sees this lock.
private final class Outcome<R: Sendable>: Sendable {
    let result = Lock<Result<R, any Error>?>(nil)
}
