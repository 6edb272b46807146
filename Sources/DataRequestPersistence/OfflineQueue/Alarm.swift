#if RequestCore
import Locks
import Synchronization

/// A one-shot timer: calls a closure after a delay, unless another delay is set before.
final class Alarm: Sendable {
    private let clock: any Clock<Duration>
    private let ring: @Sendable () -> Void
    private let task = Lock<Task<Void, Never>?>(nil)

    init(_ clock: any Clock<Duration>, _ ring: @escaping @Sendable () -> Void) {
        self.clock = clock
        self.ring = ring
    }

    /// Sets the delay, in place of an earlier one.
    func set(_ delay: Duration) {
        let new = Task { [clock, ring] in
            do { try await clock.sleep(for: delay) } catch { return }
            ring()
        }
        replace(with: new)
    }

    /// Cancels the timer.
    func stop() { replace(with: nil) }

    private func replace(with new: Task<Void, Never>?) {
        task.withLock { task in
            let old = task
            task = new
            return old
        }?.cancel()
    }
}
#endif
