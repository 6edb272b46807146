import CSkiathosThreads

/// Makes a task that never waits let other tasks run now and then.
///
/// The pool of Swift's tasks has one thread for each core, and a task keeps its thread until
/// it suspends. A task that reads in a loop, and always finds a free connection, would keep it
/// for ever.
enum FairShare {
    /// Whether the coarse clock has advanced since a share of this thread began.
    @inline(__always)
    static func isUsedUp(at now: CoarseTime) -> Bool {
        now.nanoseconds != skiathos_last_moment()
    }

    /// Begins another share if the last one of this thread is used up; returns whether its task should
    /// suspend.
    ///
    /// The clock advances every few milliseconds, so suspending takes less than a thousandth
    /// of the time.
    static func renewIfUsedUp(at now: CoarseTime) -> Bool {
        guard isUsedUp(at: now) else { return false }
        let hadOne = skiathos_last_moment() != 0
        skiathos_set_last_moment(now.nanoseconds)
        return hadOne
    }
}
