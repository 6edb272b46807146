import Dispatch

/// How a store is woken up to look for snapshots that nobody uses any more.
struct IdleWakeUps: Sendable {
    /// Runs a closure once, later and on a thread of its own.
    let schedule: @Sendable (_ wakeUp: @escaping @Sendable () -> Void) -> Void

    /// How long a snapshot may be unused: a connection gives it up after this time without a read
    /// and before twice this time.
    static let time = DispatchTimeInterval.seconds(1)

    /// By the clock.
    static let afterTime = IdleWakeUps { wakeUp in
        DispatchQueue.global().asyncAfter(deadline: .now() + time, execute: wakeUp)
    }
}
