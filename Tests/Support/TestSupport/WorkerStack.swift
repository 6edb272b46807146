import Foundation

/// Runs a closure on a thread with as much stack as those of Swift's concurrency have, and waits.
///
/// The frames of the thread sanitizer are larger.
package func onWorkerStack<R: Sendable>(_ body: @escaping @Sendable () -> R) -> R {
    nonisolated(unsafe) var result: R?
    let isDone = DispatchSemaphore(value: 0)
    let thread = Thread {
        result = body()
        isDone.signal()
    }
    #if THREAD_SANITIZER
    thread.stackSize = 4 << 20
    #else
    thread.stackSize = 512 << 10
    #endif
    thread.start()
    isDone.wait()
    guard let result else { preconditionFailure("The thread has ended without a result.") }
    return result
}
