#if RequestCore
import SkiathosLocks
import SkiathosPlatformFoundation
import Synchronization

/// How long the first requests of keys still wait, whatever becomes of the wall clock.
///
/// A stored time outlives the process, and is compared with the wall clock, which can be set back. In a
/// process a wait is also measured by a clock that cannot. After a restart, a last attempt in the future
/// shows that the clock was set back: then the wait begins again, with its full length.
final class RetryWaits: Sendable {
    private struct Wait {
        let nextAttempt: Date
        /// When it ends, by the clock of the process.
        let end: Duration
    }

    /// The time since this object was made.
    private let uptime: @Sendable () -> Duration
    private let now: @Sendable () -> Date
    /// The longest wait that the queue asks for.
    private let longest: Duration
    private let waits = Lock<[QueuedRequest.ID: Wait]>([:])

    init(_ configuration: OfflineQueue.Configuration) {
        uptime = Self.stopwatch(configuration.clock)
        now = configuration.now
        longest = max(configuration.maximumDelay, configuration.maximumAskedDelay)
    }

    private static func stopwatch(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    /// When the wait of a request ends, by the clock of the process; `nil` if it is due.
    func end(
        of id: QueuedRequest.ID, nextAttempt: Date?, lastAttempt: Date?
    ) -> Duration? {
        guard let nextAttempt else { return forget(id) }
        let (now, uptime) = (now(), uptime())
        var left = nextAttempt.timeIntervalSince(now)
        if let lastAttempt, now < lastAttempt { left = nextAttempt.timeIntervalSince(lastAttempt) }
        guard left > 0, left <= longest / .seconds(1) else { return forget(id) }
        let end = waits.withLock { waits in
            let known = waits[id].flatMap { $0.nextAttempt == nextAttempt ? $0.end : nil }
            let end = min(known ?? .seconds(Int64.max), uptime + .seconds(left))
            waits[id] = Wait(nextAttempt: nextAttempt, end: end)
            return end
        }
        // A wait that has ended is remembered: the request is looked at again before it is sent.
        return end > uptime ? end : nil
    }

    /// How long it is until a moment.
    func left(until end: Duration) -> Duration { max(.zero, end - uptime()) }

    /// Forgets all other requests.
    func keep(_ ids: Set<QueuedRequest.ID>) {
        waits.withLock { $0 = $0.filter { ids.contains($0.key) } }
    }

    private func forget(_ id: QueuedRequest.ID) -> Duration? {
        waits.withLock { _ = $0.removeValue(forKey: id) }
        return nil
    }
}
#endif
