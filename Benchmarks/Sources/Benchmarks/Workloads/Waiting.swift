import Dispatch
import Synchronization

/// How the work of a task has ended, for the thread that waits.
final class Ending<R: Sendable>: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let state = Mutex<Result<R, any Error>?>(nil)

    /// The result; `nil` before the end.
    var result: Result<R, any Error>? { state.withLock { $0 } }

    /// Runs the work, in its task.
    func run(_ body: @Sendable () async throws -> R) async {
        let result: Result<R, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        state.withLock { $0 = result }
        semaphore.signal()
    }

    /// Blocks the thread until the end.
    func wait() { semaphore.wait() }
}

/// Runs a closure in a task and waits for its end.
func waiting<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) throws -> R {
    let ending = Ending<R>()
    Task { await ending.run(body) }
    ending.wait()
    guard let result = ending.result else {
        throw BenchmarkError("A task ended without a result.")
    }
    return try result.get()
}
