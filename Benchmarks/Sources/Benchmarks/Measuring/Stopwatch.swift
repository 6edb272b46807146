import Synchronization

/// Measures the part of a workload that counts.
///
/// It runs from the beginning of the workload to its end, unless the workload starts it anew or
/// stops it before.
final class Stopwatch: Sendable {
    private struct State {
        var start = ContinuousClock.now
        var duration: Duration?
    }

    private let state = Mutex(State())

    /// Leaves out what was before.
    func start() {
        state.withLock {
            $0.duration = nil
            $0.start = .now
        }
    }

    /// Leaves out what comes after, unless it was stopped already.
    func stop() {
        let now = ContinuousClock.now
        state.withLock { $0.duration = $0.duration ?? now - $0.start }
    }

    /// The seconds from the last start to the first stop after it.
    var seconds: Double { state.withLock { ($0.duration ?? .zero) / .seconds(1) } }
}
