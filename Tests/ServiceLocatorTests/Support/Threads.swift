import Foundation
import SkiathosLocks
import TestSupport

/// Runs closures on threads of their own, beside each other, and waits for all.
///
/// Threads, since tasks of the test might never run at the same time.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
    await withContinuation { (continuation: Continuation<Void, Never>) in
        let group = DispatchGroup()
        for index in 0..<count {
            group.enter()
            Thread.detachNewThread {
                body(index)
                group.leave()
            }
        }
        group.notify(queue: .global()) { continuation.resume() }
    }
}
