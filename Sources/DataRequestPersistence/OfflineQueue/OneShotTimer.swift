#if RequestCore
import SkiathosLocks
import Synchronization

/// Calls a closure once after a delay, unless another delay is set before.
final class OneShotTimer: Sendable {
    private let clock: any Clock<Duration>
    private let fire: @Sendable () -> Void
    private let task = Lock<Task<Void, Never>?>(nil)

    init(_ clock: any Clock<Duration>, _ fire: @escaping @Sendable () -> Void) {
        self.clock = clock
        self.fire = fire
    }

    /// Sets the delay, in place of an earlier one.
    func set(_ delay: Duration) {
        let new = Task { [clock, fire] in
            do { try await clock.sleep(for: delay.waitable) } catch { return }
            fire()
        }
        replace(with: new)
    }

    /// Cancels the timer.
    func cancel() { replace(with: nil) }

    private func replace(with new: Task<Void, Never>?) {
        task.withLock { task in
            let old = task
            task = new
            return old
        }?.cancel()
    }
}
#endif
