import Locks
import Synchronization

/// A clock that stands still until it is told to go on.
final class TestClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        var until: Duration
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct Watcher {
        var matches: @Sendable (Duration) -> Bool
        var continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now = Duration.zero
        var next = 0
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        var watchers: [Watcher] = []
        var waits: [Duration] = []
    }

    private let state = Lock(State())

    var now: Instant { Instant(offset: state.withLock { $0.now }) }
    var minimumResolution: Duration { .nanoseconds(1) }

    /// How long each sleep that was begun was to take, in the order of their beginning.
    var waits: [Duration] { state.withLock { $0.waits } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let number = state.withLock {
            $0.next += 1
            return $0.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (result, watchers) = state.withLock { state in
                    begin(number, until: deadline.offset, continuation, in: &state)
                }
                if let result { continuation.resume(with: result) }
                for watcher in watchers { watcher.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                state.cancelled.insert(number)
                return state.sleepers.removeValue(forKey: number)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    private func begin(
        _ number: Int, until deadline: Duration,
        _ continuation: CheckedContinuation<Void, any Error>, in state: inout State
    ) -> (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) {
        if state.cancelled.contains(number) { return (.failure(CancellationError()), []) }
        let wait = deadline - state.now
        state.waits.append(wait)
        let matching = state.watchers.filter { $0.matches(wait) }
        state.watchers.removeAll { $0.matches(wait) }
        guard wait > .zero else { return (.success(()), matching.map(\.continuation)) }
        state.sleepers[number] = Sleeper(until: deadline, continuation: continuation)
        return (nil, matching.map(\.continuation))
    }

    /// Moves the time on and wakes who has slept enough.
    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now += duration
            let due = state.sleepers.filter { $0.value.until <= state.now }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.sorted { $0.until < $1.until }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Returns when somebody sleeps, or begins to, for a time that fits.
    func waitForSleep(where matches: @escaping @Sendable (Duration) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                let now = state.now
                if state.sleepers.values.contains(where: { matches($0.until - now) }) {
                    return true
                }
                state.watchers.append(Watcher(matches: matches, continuation: continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Returns when somebody sleeps for at most a time.
    func waitForSleep(atMost limit: Duration) async { await waitForSleep { $0 <= limit } }
}
