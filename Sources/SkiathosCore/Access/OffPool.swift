import Dispatch
import SkiathosLocks

/// Runs a closure that blocks on a thread outside the pool of Swift's tasks, and that asks whether the
/// task was cancelled.
func offPool<R: Sendable>(
    asking body: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> R
) async throws -> R {
    let flag = CancellationFlag()
    return try await withTaskCancellationHandler {
        try await offPool { try body { flag.isSet } }
    } onCancel: {
        flag.set()
    }
}

/// Runs a closure that blocks on a thread outside the pool of Swift's tasks.
func offPool<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    let result = Promise<R, any Error>()
    DispatchQueue.global().async { result.complete(Result { try body() }) }
    return try await result.outcome().get()
}
