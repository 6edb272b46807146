import Locks
import SkiathosStore
import Synchronization

/// Notifies one iterator of an observation when what it has read may have changed.
///
/// All commits between two waits count as one change.
final class ObservationSignal: ChangeListener {
    private struct State {
        /// The entities that the last read has read.
        var known: EntityMask = []
        /// The entities that have changed since the last read began.
        var changed: EntityMask = []
        /// Whether the next commit may hold changes that were not recorded.
        var isIncomplete = false
        var isEnded = false
        var waiter: CheckedContinuation<Bool, Never>?

        /// Whether a read could find something else.
        var isDue: Bool { !changed.isDisjoint(with: known) }

        mutating func add(_ records: [ChangeRecord]) {
            for record in records { changed.formUnion(record.touched) }
            if isIncomplete { changed = .all }
        }

        mutating func takeWaiter() -> CheckedContinuation<Bool, Never>? {
            defer { waiter = nil }
            return waiter
        }
    }

    /// Never held while the notifier, the store or a continuation is called.
    private let state = Lock(State())

    /// All entities: those that the next read will read are not known before.
    var interest: EntityMask { .all }
    var wantsRows: Bool { false }

    /// Records that a read begins.
    func beginRead() { state.withLock { $0.changed = [] } }

    /// Records that a read has ended.
    ///
    /// - Parameters:
    ///   - entities: The entities that it has read.
    ///   - hasFailed: Whether it has failed, perhaps before it has read all entities.
    func endRead(_ entities: EntityMask, hasFailed: Bool) {
        state.withLock { $0.known = hasFailed ? $0.known.union(entities) : entities }
    }

    /// Waits until something that was read may have changed; `false` if the store was closed
    /// or the task cancelled.
    func wait() async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Bool? in
                    // Cancelled before the handler could find the waiter.
                    if state.isEnded || Task.isCancelled { return false }
                    if state.isDue { return true }
                    state.waiter = continuation
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            state.withLock { $0.takeWaiter() }?.resume(returning: false)
        }
    }

    func markIncomplete() { state.withLock { $0.isIncomplete = true } }

    func committed(_ commit: CommittedRecords) {
        change { state in
            state.add(commit.records)
            state.isIncomplete = false
        }
    }

    func lost(_ records: [ChangeRecord], wasVisible: Bool) {
        change { state in
            // A read may have seen the lost changes.
            if wasVisible { state.add(records) }
            state.isIncomplete = false
        }
    }

    func end() {
        let waiter = state.withLock { state in
            state.isEnded = true
            return state.takeWaiter()
        }
        waiter?.resume(returning: false)
    }

    private func change(_ body: (inout State) -> Void) {
        let waiter = state.withLock { state in
            body(&state)
            return state.isDue ? state.takeWaiter() : nil
        }
        waiter?.resume(returning: true)
    }
}
