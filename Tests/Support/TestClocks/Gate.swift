import SkiathosLocks
import Synchronization
package import Testing

/// A door that is closed until it is opened, and then stays open; waiting ignores cancellation
/// unless asked to heed it.
package final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var next = 0
        var waiters: [Int: Continuation<Void, any Error>] = [:]
        var cancelled: Set<Int> = []
        var arrivals = 0
        var watchers: [Int: (count: Int, continuation: Continuation<Bool, Never>)] = [:]
    }

    private let state = Lock(State())

    /// Makes a closed door.
    package init() {}

    /// Opens the door for those who wait and those who come later.
    package func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits for the door, whatever happens to the task.
    package func pass() async { try? await arrive(number: newNumber()) }

    /// Waits for the door or the cancellation of the task.
    package func passOrCancel() async throws {
        let number = newNumber()
        try await withTaskCancellationHandler {
            try await arrive(number: number)
        } onCancel: {
            let waiter = state.withLock { state in
                state.cancelled.insert(number)
                return state.waiters.removeValue(forKey: number)
            }
            waiter?.resume(throwing: CancellationError())
        }
    }

    /// Returns when that many have come to the door.
    package func arrivals(
        _ count: Int, _ location: SourceLocation = #_sourceLocation
    ) async {
        let number = newNumber()
        await expectEvent("Fewer than \(count) have come to the gate", location) { continuation in
            let isEnough = state.withLock { state in
                if state.arrivals >= count { return true }
                state.watchers[number] = (count, continuation)
                return false
            }
            if isEnough { continuation.resume(returning: true) }
        } giveUp: {
            self.state.withLock { $0.watchers.removeValue(forKey: number)?.continuation }
        }
    }

    private func newNumber() -> Int {
        state.withLock {
            $0.next += 1
            return $0.next
        }
    }

    private func arrive(number: Int) async throws {
        try await withThrowingContinuation {
            (waiter: Continuation<Void, any Error>) in
            let (result, watchers) = state.withLock {
                state -> (Result<Void, any Error>?, [Continuation<Bool, Never>]) in
                state.arrivals += 1
                let arrivals = state.arrivals
                let satisfied = state.watchers.filter { $0.value.count <= arrivals }
                for key in satisfied.keys { state.watchers[key] = nil }
                let reached = satisfied.values.map(\.continuation)
                if state.isOpen { return (.success(()), reached) }
                if state.cancelled.contains(number) {
                    return (.failure(CancellationError()), reached)
                }
                state.waiters[number] = waiter
                return (nil, reached)
            }
            if let result { waiter.resume(with: result) }
            for watcher in watchers { watcher.resume(returning: true) }
        }
    }
}
