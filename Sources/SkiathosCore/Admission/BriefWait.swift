import CSkiathosThreads
import SkiathosPlatformLibC

/// Yields to other threads, or waits busy, before this one sleeps or does something that they could
/// share.
///
/// Putting a thread to sleep and waking it takes longer than a small write.
enum BriefWait {
    /// How often a thread checks before it sleeps.
    ///
    /// Where small writes follow each other, that is enough. Where one takes long, the checks
    /// cost as much as falling asleep once.
    private static let attempts = 8
    /// About as long as a commit takes, which is what may be saved.
    private static let time = Duration.microseconds(30)
    /// How often a busy thread checks before it looks at the clock.
    private static let checks = 16
    private static let hasSeveralCores = ProcessorCount.current > 1

    /// Checks for a value a few times; `nil` if it takes longer.
    static func value<Value>(_ value: () -> Value?) -> Value? {
        for _ in 0..<attempts {
            sched_yield()
            if let value = value() { return value }
        }
        return nil
    }

    /// Waits, busy, until a condition holds, for 30 microseconds at the most; not at all on one core.
    ///
    /// For what another thread that runs is about to do. A thread that yields instead is not seen again
    /// for milliseconds where other programs keep the processor busy.
    static func spin(until condition: () -> Bool) {
        guard hasSeveralCores else { return }
        let end = ContinuousClock.now + time
        repeat {
            for _ in 0..<checks {
                if condition() { return }
                skiathos_relax()
            }
        } while .now < end
    }

    /// Yields to other threads until a condition holds, for 30 microseconds at the most.
    static func wait(until condition: () -> Bool) {
        let end = ContinuousClock.now + time
        repeat { sched_yield() } while !condition() && .now < end
    }
}
