import Dispatch
import Locks
import Synchronization

/// The deadline of a shutdown, which every call for it shares: a later call can bring it forward.
final class ShutdownDeadline: Sendable {
    private struct State {
        var limit: ClosingProgress.Deadline
        var hasPassed = false
        /// What to call when it has passed.
        var waiting: [@Sendable () -> Void] = []
    }

    private let state: Lock<State>

    /// How long what remains to be done may take after the deadline.
    var grace: Duration { state.withLock { $0.limit.grace } }

    init(_ limit: ClosingProgress.Deadline) {
        state = Lock(State(limit: limit))
        arm(for: limit.moment)
    }

    /// Has it pass earlier, unless another one is earlier still.
    func bringForward(to limit: ClosingProgress.Deadline) {
        let isEarlier = state.withLock { state in
            guard limit.moment < state.limit.moment else { return false }
            state.limit = limit
            return true
        }
        if isEarlier { arm(for: limit.moment) }
    }

    /// Calls back when it has passed, at once if it has.
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
    /// What becomes of the task, or `nil` if a deadline passes first; it goes on then.
    ///
    /// Cancelling the caller does not cut it short.
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

    /// What becomes of the task, or `nil` if it takes longer than a time.
    func result(within time: Duration) async -> Result<Void, any Error>? {
        let deadline = ShutdownDeadline(.init(moment: .now + time, grace: .zero))
        defer { withExtendedLifetime(deadline) {} }
        return await result(until: deadline)
    }
}
