import Locks
import SkiathosStore
import Synchronization

/// Carries the cancellation of a task into the store while its closure runs there.
final class Interruption: Sendable {
    private enum Phase {
        /// Not in the store. Exits: `.running` when the closure begins; `.cancelled`.
        case idle
        /// In the store, where a running statement can be interrupted. Exits: `.settled` when
        /// the closure is done; `.cancelled`.
        case running(any StoreReader)
        /// Past the point where cancelling makes a difference. No exit.
        case settled
        /// Cancelled in time. No exit.
        case cancelled
    }

    private let phase = Lock(Phase.idle)

    /// Says that statements of a connection may be interrupted from now on.
    func begin(_ connection: any StoreReader) throws {
        try phase.withLock {
            if case .cancelled = $0 { throw CancellationError() }
            $0 = .running(connection)
        }
    }

    /// Says that nothing may be interrupted from now on, so that a commit is never torn.
    func settle() throws {
        try phase.withLock {
            if case .cancelled = $0 { throw CancellationError() }
            $0 = .settled
        }
    }

    /// Throws if the task was cancelled in time.
    func check() throws {
        if case .cancelled = phase.withLock({ $0 }) { throw CancellationError() }
    }

    /// Cancels; from any thread, at any time.
    ///
    /// The lock is held while the connection is told, so that it is never told after
    /// ``settle()``.
    func cancel() {
        phase.withLock {
            switch $0 {
            case .idle: $0 = .cancelled
            case .running(let connection):
                $0 = .cancelled
                connection.interrupt()
            case .settled, .cancelled: break
            }
        }
    }

    /// The error to throw in place of one that the interruption caused: it also ends a wait for a
    /// lock of another program.
    func translate(_ error: any Error) -> any Error {
        guard case .cancelled = phase.withLock({ $0 }),
            let code = (error as? StoreError)?.code, [.interrupted, .busy].contains(code)
        else { return error }
        return CancellationError()
    }
}
