import Dispatch
import Synchronization

/// How the work of a task has ended, for the thread that waits.
private final class Ending<R: Sendable>: Sendable {
    let semaphore = DispatchSemaphore(value: 0)
    let result = Mutex<Result<R, any Error>?>(nil)
}

/// Runs a closure in a task and waits for its end.
func waiting<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) throws -> R {
    let ending = Ending<R>()
    Task {
        let result: Result<R, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        ending.result.withLock { $0 = result }
        ending.semaphore.signal()
    }
    ending.semaphore.wait()
    guard let result = ending.result.withLock({ $0 }) else {
        throw BenchmarkError("A task ended without a result.")
    }
    return try result.get()
}
