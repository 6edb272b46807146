import Dispatch

/// When the files of an open store are checked, apart from each sync and checkpoint.
struct FileCheckTiming: Sendable {
    /// The smallest interval between two checks by commits, in milliseconds.
    ///
    /// A check also runs this long after the last commit.
    static let interval = 50

    /// The time since some moment, in milliseconds, to within a few.
    let now: @Sendable () -> Int
    /// Runs a closure once, when the interval has passed, on a thread of its own.
    let schedule: @Sendable (_ check: @escaping @Sendable () -> Void) -> Void

    /// By the clock of the system.
    static let byTheClock = FileCheckTiming {
        SystemCalls.coarseMilliseconds
    } schedule: { check in
        DispatchQueue.global().asyncAfter(
            deadline: .now() + .milliseconds(interval), execute: check)
    }
}
