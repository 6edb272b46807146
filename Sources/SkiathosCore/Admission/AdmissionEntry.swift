/// An access that waits at an ``AdmissionGate``.
struct AdmissionEntry: Sendable {
    /// What is woken when it is its turn.
    enum Waiter: Sendable {
        case thread(BlockedThread)
        case task(AdmissionTicket)
        case job(AdmissionGate.Job)
    }

    let waiter: Waiter
    /// Where the access was called, for ``AdmissionGate/oldestOccupant``.
    let place: SourcePlace?
    let standing: AdmissionGate.Standing
    /// Since when it waits, in nanoseconds of uptime, if that is measured.
    let start: UInt64

    /// Whether a thread of the pool waits here, which no task can use meanwhile.
    var holdsPoolThread: Bool {
        if case .thread(let thread) = waiter { thread.isOfPool } else { false }
    }

    /// Whether it goes before tasks that get no thread: threads of the pool, which are free again
    /// then, and jobs, so that those stay in order with the threads that have submitted them.
    var canTakeOver: Bool {
        switch waiter {
        case .thread: holdsPoolThread && standing != .closing
        case .task: false
        case .job: true
        }
    }
}
