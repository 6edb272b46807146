import Foundation
import Synchronization

/// Runs a closure that may block, on a thread of its own.
///
/// The pool of Swift's tasks has one thread for each core, and a blocked one is missed at once.
func onThread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
}

/// Where threads wait until all have come.
final class Meeting: Sendable {
    private let missing: Atomic<Int>
    private let door = Door()

    init(of count: Int) { missing = Atomic(count) }

    func come() {
        if missing.subtract(1, ordering: .sequentiallyConsistent).newValue == 0 { door.open() }
        door.pass()
    }
}

/// A one-shot latch: threads wait until it is opened.
final class Door: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }

    func pass() {
        semaphore.wait()
        semaphore.signal()
    }
}

/// Something that happens once, for which tasks wait without a thread.
struct Event: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func happen() { continuation.finish() }
    func wait() async { for await _ in stream {} }
}
