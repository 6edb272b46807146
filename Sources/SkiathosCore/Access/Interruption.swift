import Dispatch
import SkiathosLocks
import SkiathosStore
import Synchronization

/// Carries the cancellation of a task into the store while its closure runs there.
@usableFromInline
final class Interruption: Sendable {
    private enum Phase {
        /// Not in the store. Exits: `.running` when the closure begins; `.cancelled`.
        case idle
        /// In the store, where a running statement can be interrupted. Exits: `.settled` when
        /// the closure is done, or has failed; `.interrupted`.
        case running(any StoreReader)
        /// Cancelled in the store, where statements are interrupted. Exit: `.cancelled` when the
        /// closure is done, or has failed.
        case interrupted(any StoreReader)
        /// Past the point where cancelling makes a difference. No exit.
        case settled
        /// Cancelled in time. No exit.
        case cancelled

        var isCancelled: Bool {
            switch self {
            case .interrupted, .cancelled: true
            case .idle, .running, .settled: false
            }
        }
    }

    /// How many milliseconds after the first interruption the second one follows, if the access has not
    /// ended; the next ones after twice as long each, up to a second.
    ///
    /// A store forgets one that comes between the last check before a statement and its beginning. Each also
    /// meets the commits and checkpoints that others make meanwhile, and are repeated then.
    private static let firstPause = 20

    private let phase = Lock(Phase.idle)

    /// Allows statements of a connection to be interrupted from now on.
    func begin(_ connection: any StoreReader) throws {
        try phase.withLock {
            if $0.isCancelled { throw CancellationError() }
            $0 = .running(connection)
        }
    }

    /// Forbids interruptions from now on, so that a commit is never torn.
    func settle() throws { if end() { throw CancellationError() } }

    /// Throws if the task was cancelled in time.
    func check() throws { if phase.withLock({ $0.isCancelled }) { throw CancellationError() } }

    /// Cancels; from any thread, at any time.
    func cancel() {
        let isInterrupted = phase.withLock { phase in
            switch phase {
            case .idle: phase = .cancelled
            case .running(let connection): phase = .interrupted(connection)
            case .interrupted, .settled, .cancelled: break
            }
            return Self.interrupt(phase)
        }
        if isInterrupted { interrupt(after: Self.firstPause) }
    }

    /// Interrupts an access that was cancelled and has not ended; returns whether it did.
    ///
    /// The lock of the phase is held meanwhile, so that this never happens after ``end()``.
    private static func interrupt(_ phase: Phase) -> Bool {
        guard case .interrupted(let connection) = phase else { return false }
        connection.interrupt()
        return true
    }

    private func interrupt(after milliseconds: Int) {
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
            [weak self] in
            guard let self, phase.withLock({ Self.interrupt($0) }) else { return }
            interrupt(after: min(2 * milliseconds, 1_000))
        }
    }

    /// Forbids interruptions from now on, before the access gives back its permit or its connection, which
    /// the next one gets; returns whether it was cancelled in time.
    func end() -> Bool {
        phase.withLock {
            $0 = $0.isCancelled ? .cancelled : .settled
            if case .cancelled = $0 { return true }
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
