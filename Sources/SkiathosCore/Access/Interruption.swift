import Locks
import SkiathosStore
import Synchronization

/// Carries the cancellation of a task into the store while its closure runs there.
@usableFromInline
final class Interruption: Sendable {
    private enum Phase {
        /// Not in the store. Exits: `.running` when the closure begins; `.cancelled`.
        case idle
        /// In the store, where a running statement can be interrupted. Exits: `.settled` when
        /// the closure is done, or has failed; `.cancelled`.
        case running(any StoreReader)
        /// Past the point where cancelling makes a difference. No exit.
        case settled
        /// Cancelled in time. No exit.
        case cancelled
    }

    private let phase = Lock(Phase.idle)

    /// Allows statements of a connection to be interrupted from now on.
    func begin(_ connection: any StoreReader) throws {
        try phase.withLock {
            if case .cancelled = $0 { throw CancellationError() }
            $0 = .running(connection)
        }
    }

    /// Forbids interruptions from now on, so that a commit is never torn.
    func settle() throws {
        try phase.withLock {
            if case .cancelled = $0 { throw CancellationError() }
            $0 = .settled
        }
    }

    /// Throws if the task was cancelled in time.
    @usableFromInline
    func check() throws {
        if case .cancelled = phase.withLock({ $0 }) { throw CancellationError() }
    }

    /// Cancels; from any thread, at any time.
    ///
    /// The lock is held while the connection is interrupted, so that this never happens after
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

    /// Forbids interruptions of an access that has failed, whose permit or connection the next one gets;
    /// returns whether it was cancelled in time.
    fileprivate func end() -> Bool {
        phase.withLock {
            if case .cancelled = $0 { return true }
            $0 = .settled
            return false
        }
    }
}

/// Runs a closure such that cancelling the task interrupts what it does in the store.
///
/// Nothing is awaited between the end of the closure and the return.
@inline(__always)
func interruptible<R>(_ body: (Interruption) throws -> R) async throws -> R {
    let interruption = Interruption()
    return try await withTaskCancellationHandler {
        try body(interruption)
    } onCancel: {
        interruption.cancel()
    }
}

/// Does the same on a thread outside the pool of Swift's tasks.
func interruptibleOffPool<R: Sendable>(
    _ body: @escaping @Sendable (Interruption) throws -> R
) async throws -> R {
    let interruption = Interruption()
    return try await withTaskCancellationHandler {
        try await offPool { try body(interruption) }
    } onCancel: {
        interruption.cancel()
    }
}

extension CancellationFlag {
    /// Forbids further interruptions of an access that has failed, and returns the error to throw in place
    /// of one that an interruption has caused.
    ///
    /// Called before the access gives its permit or its connection back.
    ///
    /// - Parameters:
    ///   - error: The error of the access.
    ///   - interruption: Carries the cancellation of the access; none if it has no task.
    /// - Returns: `CancellationError` if the access was cancelled, ``refusal`` if the deadline of a
    ///   shutdown has passed, and the error itself if neither has happened, or if an interruption
    ///   cannot be its cause.
    func cause(of error: any Error, _ interruption: Interruption?) -> any Error {
        let isCancelled = interruption?.end() ?? false
        guard let code = (error as? StoreError)?.code, Self.codes.contains(code) else {
            return error
        }
        if isCancelled { return CancellationError() }
        return isSet ? Self.refusal : error
    }

    /// The codes by which a store reports an interruption.
    ///
    /// An interruption of a running statement is `interrupted`. One that ends the wait for a
    /// lock is `busy`. One between two statements, for instance while SQLite parses the
    /// declaration of a virtual table, is a general error: `backend`.
    private static var codes: [StoreError.Code] { [.interrupted, .busy, .backend] }
}
