#if Requests
import Locks
import Synchronization

/// A door that is closed until it is opened, and then stays open.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var arrivals = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Lock(State())

    func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits for the door, whatever happens to the task.
    func pass() async {
        await withCheckedContinuation { waiter in
            let (isOpen, reached) = state.withLock {
                state -> (Bool, [CheckedContinuation<Void, Never>]) in
                state.arrivals += 1
                let arrivals = state.arrivals
                let reached = state.watchers.filter { $0.count <= arrivals }.map(\.continuation)
                state.watchers.removeAll { $0.count <= arrivals }
                if !state.isOpen { state.waiters.append(waiter) }
                return (state.isOpen, reached)
            }
            if isOpen { waiter.resume() }
            for watcher in reached { watcher.resume() }
        }
    }

    /// Returns when that many have come to the door.
    func arrivals(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isEnough = state.withLock { state in
                if state.arrivals >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isEnough { continuation.resume() }
        }
    }
}
#endif
