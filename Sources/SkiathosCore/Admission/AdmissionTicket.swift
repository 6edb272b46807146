import SkiathosLocks

/// The position of a task at a gate; the task may have no thread at this moment.
final class AdmissionTicket: @unchecked Sendable {
    // Sendable: both fields are touched only while the state of the gate is locked.

    enum Stage {
        /// Not in the queue. Exits: `.waiting`; `.granted`; `.refused`.
        case new
        /// In the queue under a number. Exits: `.granted`; `.refused`.
        case waiting(Int)
        /// It owns a slot. Exits: `.done` when the task claims it; `.waiting` when others have
        /// taken it over; `.refused` when a blocking close stops waiting for it.
        case granted(Int)
        /// It was cancelled or refused. No exit.
        case refused(any Error)
        /// The task has claimed its slot. No exit.
        case done
    }

    var stage = Stage.new
    /// Resumes the task while it is suspended in the queue.
    var continuation: Continuation<Void, any Error>?
}
