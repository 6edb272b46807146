import Dispatch
import Metrics

/// Counts those that wait at a gate, and takes the time of each that has had to wait.
struct QueueMetrics: Sendable {
    let depth: Meter
    let wait: Timer

    /// The moment from which somebody waits, in nanoseconds of uptime.
    ///
    /// A plain number: a standard library's instant would make every use of the line slower.
    var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// Somebody has lined up.
    func lineUp() { depth.increment() }

    /// Somebody has left the line without having had his turn.
    func giveUp() { depth.decrement() }

    /// Somebody has got his turn.
    func enter(since start: UInt64) {
        depth.decrement()
        wait.recordNanoseconds(now - start)
    }
}
