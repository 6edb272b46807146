#if RequestCore
import Locks
import Synchronization

/// Calls a closure after a time, unless another time is set before.
final class Alarm: Sendable {
    private let clock: any Clock<Duration>
    private let ring: @Sendable () -> Void
    private let task = Lock<Task<Void, Never>?>(nil)

    init(_ clock: any Clock<Duration>, _ ring: @escaping @Sendable () -> Void) {
        self.clock = clock
        self.ring = ring
    }

    /// Sets the time, in the place of one that was set before.
    func set(_ delay: Duration) {
        let new = Task { [clock, ring] in
            do { try await clock.sleep(for: delay) } catch { return }
            ring()
        }
        replace(with: new)
    }

    /// Rings no more.
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
