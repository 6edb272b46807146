import CSkiathosThreads

/// Makes a task that never waits let other tasks run now and then.
///
/// The pool of Swift's tasks has one thread for each core, and a task keeps its thread until
/// it suspends. A task that reads in a loop, and always finds a free connection, would keep it
/// for ever.
enum FairShare {
    /// Whether the task on this thread should suspend: whether the coarse clock has advanced
    /// since the last call on this thread.
    ///
    /// The clock advances every few milliseconds, so suspending takes less than a thousandth
    /// of the time.
    static func isUsedUp(at now: CoarseTime) -> Bool {
        let before = skiathos_last_moment()
        guard now.nanoseconds != before else { return false }
        skiathos_set_last_moment(now.nanoseconds)
        return before != 0
    }
}
