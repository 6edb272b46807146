import Dispatch

/// Schedules the check for snapshots that are no longer used.
struct IdleWakeUps: Sendable {
    /// Runs a closure once, later and on a thread of its own.
    let schedule: @Sendable (_ wakeUp: @escaping @Sendable () -> Void) -> Void

    /// How long a snapshot may be unused: a connection releases it between once and twice this
    /// time after the last read.
    static let time = DispatchTimeInterval.seconds(1)

    /// Uses the system's timer.
    static let afterTime = IdleWakeUps { wakeUp in
        DispatchQueue.global().asyncAfter(deadline: .now() + time, execute: wakeUp)
    }
}
