#if RequestCore
import Dispatch
import SkiathosLocks

/// Runs blocking work, such as file operations, on threads of its own.
///
/// The cooperative thread pool has only as many threads as processors. A thread of it that
/// waits for a disk delays tasks that use no files, and a blocked main thread delays the user.
enum BlockingWork {
    private static let queue = DispatchQueue(
        label: "skiathos.requests.files", attributes: .concurrent)

    /// Waits for the work, which cannot be cancelled half-way and should be short.
    static func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: work)) }
        }
    }
}
#endif
