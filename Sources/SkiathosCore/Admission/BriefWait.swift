import PlatformLibC

/// Lets other threads run before this one goes to sleep, or does something that they could share.
///
/// Putting a thread to sleep and waking it up again takes longer than a small write.
enum BriefWait {
    /// How often a thread looks again before it goes to sleep.
    ///
    /// Where small writes come one after the other, that is enough; where one takes long, it costs
    /// as much as one falling asleep.
    private static let attempts = 8
    /// About as long as a commit takes, which is what may be saved.
    private static let time = Duration.microseconds(30)

    /// Looks for a value a few times; `nil` if it takes longer.
    static func value<Value>(_ value: () -> Value?) -> Value? {
        for _ in 0..<attempts {
            sched_yield()
            if let value = value() { return value }
        }
        return nil
    }

    /// Lets other threads run until a condition holds, for 30 microseconds at the most.
    static func wait(until condition: () -> Bool) {
        let end = ContinuousClock.now + time
        repeat { sched_yield() } while !condition() && .now < end
    }
}
