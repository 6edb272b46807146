import PlatformLibC

/// Yields to other threads before this one sleeps, or does something that they could share.
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

    /// Checks for a value a few times; `nil` if it takes longer.
    static func value<Value>(_ value: () -> Value?) -> Value? {
        for _ in 0..<attempts {
            sched_yield()
            if let value = value() { return value }
        }
        return nil
    }

    /// Yields to other threads until a condition holds, for 30 microseconds at the most.
    static func wait(until condition: () -> Bool) {
        let end = ContinuousClock.now + time
        repeat { sched_yield() } while !condition() && .now < end
    }
}
