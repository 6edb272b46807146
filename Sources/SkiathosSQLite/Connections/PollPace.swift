/// When the next look for commits is due.
///
/// Without a watch of writes, a look is due at each interval. With one, no look is due until the WAL is
/// written, but for one a second in case the watch has missed something.
///
/// A commit is written before it can be seen, for as long as its sync takes. So more looks follow on a
/// write, at first soon and then each after twice the time: a commit is seen no later than it took, or
/// than the interval. After commits that were found, the next look comes an interval later.
struct PollPace {
    /// How long the thread waits for its next look.
    struct Pause: Equatable {
        /// How long it waits at least, whatever is written.
        let deaf: Duration
        /// How long it waits if nothing is written.
        let longest: Duration
    }

    /// What a look has found.
    enum Outcome { case nothing, commits, lockOrFailure }

    /// The time between a write and the next look.
    private static var soon: Duration { .microseconds(50) }

    private let interval: Duration
    /// The time after a write for which looks follow on it, and after that between two looks.
    private let longest: Duration
    /// The last pause, or `nil` if nothing was written for so long that only writes lead to looks.
    private var delay: Duration?
    /// When the last look was that was told of a write.
    private var lastWrite: ContinuousClock.Instant?
    /// When the last look was that was told of a write or has found commits, and had no such look in the
    /// interval before.
    private var burst: ContinuousClock.Instant?

    init(every interval: Duration) {
        self.interval = interval
        longest = max(interval, .seconds(1))
        delay = interval
    }

    /// Whether nothing was written for so long that the next look needs a write.
    var isQuiet: Bool { delay == nil }

    /// The pause before the first look.
    var first: Pause { Pause(deaf: interval, longest: interval) }

    /// The pause after a look.
    ///
    /// - Parameters:
    ///   - outcome: What the look has found.
    ///   - wasWritten: Whether the watch has told of writes since the look before.
    ///   - isWatched: Whether the watch tells of each write.
    ///   - now: The moment of the look.
    mutating func pause(
        after outcome: Outcome, wasWritten: Bool, isWatched: Bool, at now: ContinuousClock.Instant
    ) -> Pause {
        // What was written unseen counts as written now.
        if wasWritten || !isWatched || lastWrite == nil { lastWrite = now }
        guard isWatched, outcome == .nothing else {
            burst = now
            return wait(interval, deaf: interval)
        }
        let isInBurst = burst.map { $0.duration(to: now) < interval } ?? false
        if wasWritten {
            if !isInBurst { burst = now }
            let next = min(isInBurst ? (delay ?? Self.soon) * 2 : Self.soon, interval)
            return wait(next, deaf: next)
        }
        let elapsed = lastWrite.map { $0.duration(to: now) } ?? .zero
        guard let delay, elapsed < longest else {
            self.delay = nil
            return Pause(deaf: .zero, longest: longest)
        }
        let next = min(delay * 2, max(interval, elapsed))
        return wait(next, deaf: isInBurst ? min(next, interval) : .zero)
    }

    private mutating func wait(_ longest: Duration, deaf: Duration) -> Pause {
        delay = longest
        return Pause(deaf: deaf, longest: longest)
    }
}
