import Foundation
import SkiathosLocks
import Synchronization

/// Runs a closure that may block, on a thread of its own.
///
/// The pool of Swift's tasks has one thread for each core, and a blocked one is missed at once.
package func onThread<R: Sendable>(
    _ body: @escaping @Sendable () throws -> R
) async throws -> R {
    try await withThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
}

/// The same for a caller that may block: it waits for the thread.
package func onOtherThread<R: Sendable>(
    _ body: @escaping @Sendable () throws -> R
) throws -> R {
    let result = Lock<Result<R, any Error>?>(nil)
    let door = Door()
    Thread.detachNewThread {
        let outcome = Result { try body() }
        result.withLock { $0 = outcome }
        door.open()
    }
    door.pass()
    guard let outcome = result.withLock({ $0 }) else {
        fatalError("The thread has opened the door without a result.")
    }
    return try outcome.get()
}

/// Where threads wait until all have come.
package final class Meeting: Sendable {
    private let missing: Atomic<Int>
    private let door = Door()

    package init(of count: Int) { missing = Atomic(count) }

    package func come() {
        if missing.subtract(1, ordering: .sequentiallyConsistent).newValue == 0 { door.open() }
        door.pass()
    }
}

/// A one-shot latch: threads wait until it is opened.
package final class Door: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    package init() {}

    package func open() { semaphore.signal() }

    package func pass() {
        semaphore.wait()
        semaphore.signal()
    }
}

/// Something that happens once, for which tasks wait without a thread.
package struct Event: Sendable {
    private let latch = Latch()

    package init() {}

    package func happen() { latch.open() }

    /// Waits for it or for the cancellation of the task.
    package func wait() async { try? await latch.wait() }
}
