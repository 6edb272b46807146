import Foundation
import Locks
import Synchronization

/// A clock that goes on only when it is told to, and the time of day that belongs to it.
final class QueueClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct State {
        var now = Duration.zero
        var number = 0
        var sleepers: [Int: (until: Duration, continuation: CheckedContinuation<Void, any Error>)] =
            [:]
        var cancelled: Set<Int> = []
        var watchers: [(until: Duration, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Lock(State())

    var now: Instant { Instant(offset: state.withLock { $0.now }) }
    var minimumResolution: Duration { .nanoseconds(1) }
    /// The time of day, which was midnight of 2001 when the clock began.
    var date: Date { Date(timeIntervalSinceReferenceDate: now.offset / .seconds(1)) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (result, watchers) = state.withLock { state in
                    begin(number, deadline.offset, continuation, &state)
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
        _ number: Int, _ until: Duration, _ continuation: CheckedContinuation<Void, any Error>,
        _ state: inout State
    ) -> (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) {
        if state.cancelled.contains(number) { return (.failure(CancellationError()), []) }
        if until <= state.now { return (.success(()), []) }
        state.sleepers[number] = (until, continuation)
        let met = state.watchers.filter { $0.until == until }
        state.watchers.removeAll { $0.until == until }
        return (nil, met.map(\.continuation))
    }

    /// Goes on, and wakes whoever is due.
    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now += duration
            let due = state.sleepers.filter { $0.value.until <= state.now }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }

    /// Waits until somebody sleeps until so long after the beginning.
    func sleeper(until time: Duration) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.sleepers.values.contains(where: { $0.until == time }) { return true }
                state.watchers.append((time, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}
