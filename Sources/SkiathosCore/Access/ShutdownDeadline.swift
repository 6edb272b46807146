import Dispatch
import SkiathosLocks
import Synchronization

/// The deadline of a shutdown, which all calls share: a later call can move it to an earlier
/// time.
final class ShutdownDeadline: Sendable {
    private struct State {
        var limit: ClosingProgress.Deadline
        var hasPassed = false
        /// The closures to call when it has passed.
        var waiting: [@Sendable () -> Void] = []
    }

    private let state: Lock<State>

    /// The time for the steps that remain after the deadline.
    var grace: Duration { state.withLock { $0.limit.grace } }

    init(_ limit: ClosingProgress.Deadline) {
        state = Lock(State(limit: limit))
        arm(for: limit.moment)
    }

    /// Moves the deadline to an earlier time, unless it is earlier already.
    func bringForward(to limit: ClosingProgress.Deadline) {
        let isEarlier = state.withLock { state in
            guard limit.moment < state.limit.moment else { return false }
            state.limit = limit
            return true
        }
        if isEarlier { arm(for: limit.moment) }
    }

    /// Calls a closure when the deadline has passed, at once if it has.
    func whenPassed(_ action: @escaping @Sendable () -> Void) {
        let hasPassed = state.withLock { state in
            if !state.hasPassed { state.waiting.append(action) }
            return state.hasPassed
        }
        if hasPassed { action() }
    }

    private func arm(for moment: ContinuousClock.Instant) {
        // A sleeping task would be woken by a thread of the pool.
        let left = max(.zero, ContinuousClock.now.duration(to: moment))
        DispatchQueue(label: "skiathos.deadline")
            .asyncAfter(deadline: .now() + .nanoseconds(left.nanoseconds)) { [weak self] in
                self?.look(at: moment)
            }
    }

    private func look(at moment: ContinuousClock.Instant) {
        // The clock of timers may be ahead.
        guard ContinuousClock.now >= moment else { return arm(for: moment) }
        let waiting = state.withLock { state in
            state.hasPassed = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for action in waiting { action() }
    }
}

extension Task where Success == Void, Failure == any Error {
    /// The result of the task, or `nil` if a deadline passes first; the task continues then.
    ///
    /// Cancelling the caller does not end the wait.
    func result(until deadline: ShutdownDeadline) async -> Result<Void, any Error>? {
        let (ends, end) = AsyncStream.makeStream(of: Result<Void, any Error>?.self)
        Task<Void, Never>(executorPreference: ShutdownExecutor.shared) {
            end.yield(await self.result)
        }
        deadline.whenPassed { end.yield(nil) }
        let waiting = Task<Result<Void, any Error>?, Never>(
            executorPreference: ShutdownExecutor.shared
        ) {
            for await result in ends { return result }
            return nil
        }
        return await waiting.value
    }

    /// The result of the task, or `nil` if it takes longer than a time.
    func result(within time: Duration) async -> Result<Void, any Error>? {
        let deadline = ShutdownDeadline(.init(moment: .now + time, grace: .zero))
        defer { withExtendedLifetime(deadline) {} }
        return await result(until: deadline)
    }
}

/// The least time for each step after the deadline of a shutdown.
///
/// A tenth of the deadline counts where that is more. Tests of what ends by itself allow much
/// more, so that they do not depend on the load of the machine.
package struct ShutdownGrace: Sendable {
    /// For ending closures whose statements were interrupted.
    package var closures = Duration.milliseconds(250)
    /// For syncing what was merged.
    package var flush = Duration.milliseconds(250)
}
