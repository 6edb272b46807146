/// Where a task stands, which may not have a thread at this moment.
final class AdmissionTicket: @unchecked Sendable {
    // Sendable: both fields are touched only while the state of the gate is locked.

    enum Stage {
        /// Not in line. Exits: `.waiting`; `.granted`; `.refused`.
        case new
        /// In line under a number. Exits: `.granted`; `.refused`.
        case waiting(Int)
        /// A place is its own. Exits: `.done` when it comes for it; `.waiting` when others have
        /// taken it over.
        case granted(Int)
        /// It was cancelled or turned away. No exit.
        case refused(any Error)
        /// It has come for its place. No exit.
        case done
    }

    var stage = Stage.new
    /// What wakes it, while it sleeps in line.
    var continuation: CheckedContinuation<Void, any Error>?
}
