package import Foundation
import SkiathosLocks
import Synchronization
package import Testing

/// A clock that stands still until a test moves it, and its time of day.
package final class TestClock: Clock, Sendable {
    /// A time since the clock began.
    package struct Instant: InstantProtocol {
        /// How long after the beginning it is.
        package var offset: Duration
        package func advanced(by duration: Duration) -> Instant {
            Instant(offset: offset + duration)
        }
        package func duration(to other: Instant) -> Duration { other.offset - offset }
        package static func < (left: Instant, right: Instant) -> Bool {
            left.offset < right.offset
        }
    }

    private struct Sleeper {
        var until: Duration
        var continuation: Continuation<Void, any Error>
    }

    private struct Watcher {
        /// Says whether a sleep fits, by how long it takes and when it ends.
        var matches: @Sendable (_ wait: Duration, _ until: Duration) -> Bool
        var continuation: Continuation<Bool, Never>
    }

    private struct State {
        var now = Duration.zero
        var next = 0
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        var watchers: [Int: Watcher] = [:]
        var waits: [Duration] = []
    }

    private let state = Lock(State())

    /// Makes a clock.
    package init() {}

    package var now: Instant { Instant(offset: state.withLock { $0.now }) }
    package var minimumResolution: Duration { .nanoseconds(1) }
    /// The time of day, which was midnight of 2001 when the clock began.
    package var date: Date { Date(timeIntervalSinceReferenceDate: now.offset / .seconds(1)) }

    /// How long each sleep that was begun was to take, in the order of their beginning.
    package var waits: [Duration] { state.withLock { $0.waits } }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let number = newNumber()
        try await withTaskCancellationHandler {
            try await withThrowingContinuation { continuation in
                let (result, watchers) = state.withLock { state in
                    begin(number, until: deadline.offset, continuation, in: &state)
                }
                if let result { continuation.resume(with: result) }
                for watcher in watchers { watcher.resume(returning: true) }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                state.cancelled.insert(number)
                return state.sleepers.removeValue(forKey: number)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    private func newNumber() -> Int {
        state.withLock {
            $0.next += 1
            return $0.next
        }
    }

    private func begin(
        _ number: Int, until deadline: Duration,
        _ continuation: Continuation<Void, any Error>, in state: inout State
    ) -> (Result<Void, any Error>?, [Continuation<Bool, Never>]) {
        if state.cancelled.contains(number) { return (.failure(CancellationError()), []) }
        let wait = deadline - state.now
        state.waits.append(wait)
        let matching = state.watchers.filter { $0.value.matches(wait, deadline) }
        for key in matching.keys { state.watchers[key] = nil }
        let continuations = matching.values.map(\.continuation)
        guard wait > .zero else { return (.success(()), continuations) }
        state.sleepers[number] = Sleeper(until: deadline, continuation: continuation)
        return (nil, continuations)
    }

    /// Moves the time on and wakes who has slept enough.
    package func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now += duration
            let due = state.sleepers.filter { $0.value.until <= state.now }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.sorted { $0.until < $1.until }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Returns when a task sleeps, or begins to, for a matching time.
    package func waitForSleep(
        _ location: SourceLocation = #_sourceLocation,
        where matches: @escaping @Sendable (Duration) -> Bool
    ) async {
        await watch("for a matching time", location) { wait, _ in matches(wait) }
    }

    /// Returns when a task sleeps for at most a time.
    package func waitForSleep(
        atMost limit: Duration, _ location: SourceLocation = #_sourceLocation
    ) async {
        await watch("for at most \(limit)", location) { wait, _ in wait <= limit }
    }

    /// Returns when a task sleeps until a time after the beginning.
    package func waitForSleep(
        until time: Duration, _ location: SourceLocation = #_sourceLocation
    ) async {
        await watch("until \(time)", location) { _, until in until == time }
    }

    private func watch(
        _ what: String, _ location: SourceLocation,
        _ matches: @escaping @Sendable (_ wait: Duration, _ until: Duration) -> Bool
    ) async {
        let number = newNumber()
        await expectEvent("No task has begun to sleep \(what)", location) { continuation in
            let isThere = state.withLock { state in
                let now = state.now
                if state.sleepers.values.contains(where: { matches($0.until - now, $0.until) }) {
                    return true
                }
                state.watchers[number] = Watcher(matches: matches, continuation: continuation)
                return false
            }
            if isThere { continuation.resume(returning: true) }
        } giveUp: {
            self.state.withLock { $0.watchers.removeValue(forKey: number)?.continuation }
        }
    }
}
