#if RequestCore
import Dispatch

/// Runs what may block, such as work on files, on threads of its own.
///
/// The threads that run tasks are as few as the processors: one that waits for a disk holds up
/// tasks that have nothing to do with files, and the main thread holds up a user.
enum BlockingWork {
    private static let queue = DispatchQueue(
        label: "skiathos.requests.files", attributes: .concurrent)

    /// Waits for the work, which is not cancelled half-way; so it should be short.
    static func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: work)) }
        }
    }
}
#endif
