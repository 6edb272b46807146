import Dispatch
import Metrics

/// Counts the accesses that wait at a gate, and measures how long each has waited.
struct QueueMetrics: Sendable {
    let depth: Meter
    let wait: Timer

    /// The moment at which an access begins to wait, in nanoseconds of uptime.
    ///
    /// A plain number: a standard library's instant would make every use of the queue slower.
    var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// Records that an access has joined the queue.
    func enqueue() { depth.increment() }

    /// Records that an access has left the queue without a slot.
    func giveUp() { depth.decrement() }

    /// Records that a waiting access has got its slot.
    func enter(since start: UInt64) {
        depth.decrement()
        wait.recordNanoseconds(now - start)
    }
}
