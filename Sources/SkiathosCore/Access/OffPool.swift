import Dispatch
import Locks

/// Runs a closure that blocks on a thread outside the pool of Swift's tasks.
func offPool<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    let result = Promise<R, any Error>()
    DispatchQueue.global().async { result.complete(Result { try body() }) }
    return try await result.outcome().get()
}
