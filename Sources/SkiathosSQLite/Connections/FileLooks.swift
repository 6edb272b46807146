import Dispatch

/// When the files of an open store are looked at, beside each sync and checkpoint.
struct FileLooks: Sendable {
    /// How long after a look a commit makes another one, in milliseconds, and how long after a
    /// commit one is made that no further commit makes.
    static let interval = 50

    /// The time since some moment, in milliseconds, to within a few.
    let now: @Sendable () -> Int
    /// Runs a closure once, when the interval has passed, on a thread of its own.
    let schedule: @Sendable (_ look: @escaping @Sendable () -> Void) -> Void

    /// By the clock of the system.
    static let byTheClock = FileLooks {
        SystemCalls.coarseMilliseconds
    } schedule: { look in
        DispatchQueue.global().asyncAfter(
            deadline: .now() + .milliseconds(interval), execute: look)
    }
}
