/// An access that waits at an ``AdmissionGate``.
struct AdmissionEntry: Sendable {
    /// The thread, task or job that is resumed when the access gets its slot.
    enum Waiter: Sendable {
        case thread(BlockedThread)
        case task(AdmissionTicket)
        case job(AdmissionGate.Job)
    }

    let waiter: Waiter
    /// The source location of the call, for ``AdmissionGate/oldestHolder``.
    let place: SourcePlace?
    let standing: AdmissionGate.Standing
    /// When the wait began, in nanoseconds of uptime, if that is measured.
    let start: UInt64

    /// Whether a thread of the task pool waits here, which no task can use meanwhile.
    var holdsPoolThread: Bool {
        if case .thread(let thread) = waiter { thread.isOfPool } else { false }
    }

    /// Whether the access overtakes tasks that get no thread.
    ///
    /// Threads of the pool do, because the pool can use them again afterwards. Jobs do, so
    /// that they stay in order with the threads that have submitted them.
    var canTakeOver: Bool {
        switch waiter {
        case .thread: holdsPoolThread && standing != .closing
        case .task: false
        case .job: true
        }
    }
}
