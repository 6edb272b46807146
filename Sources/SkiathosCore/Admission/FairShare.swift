import PlatformLibC

/// Makes a task that never waits let other tasks run now and then.
///
/// The pool of Swift's tasks has one thread for each core, and a task keeps its thread until
/// it suspends. A task that reads in a loop, and always finds a free connection, would keep it
/// for ever.
enum FairShare {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let code = pthread_key_create(&key, nil)
        precondition(code == 0, "No thread-specific key is left: pthread_key_create gave \(code).")
        return key
    }()

    /// Whether the task on this thread should suspend: whether the coarse clock has advanced
    /// since the last call on this thread.
    ///
    /// The clock advances every few milliseconds, so suspending takes less than a thousandth
    /// of the time.
    static func isUsedUp(at now: CoarseTime) -> Bool {
        let (now, before) = (now.bits, UInt(bitPattern: pthread_getspecific(key)))
        guard now != before else { return false }
        pthread_setspecific(key, UnsafeRawPointer(bitPattern: now))
        return before != 0
    }
}

extension CoarseTime {
    /// A number that differs from one moment to the next.
    fileprivate var bits: UInt { UInt(truncatingIfNeeded: nanoseconds) }
}
