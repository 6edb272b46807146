import Locks
import SkiathosStore
import Synchronization

/// Keeps the changesets of one feed until the feed takes them.
final class ChangeBuffer<E: Entity>: ChangeListener {
    typealias Event = ChangeFeed<E>.Event

    private struct State {
        /// The oldest is at `first`.
        var kept: [EntityChanges<E>?] = []
        var first = 0
        /// How many were dropped since the last event, because the buffer was full.
        var missed = 0
        /// Whether the next commit may hold changes that were not recorded.
        var isIncomplete = false
        var isEnded = false
        var waiters: [Waiter] = []
        var lastNumber = 0

        mutating func append(_ changes: EntityChanges<E>?, _ limit: Int) {
            guard let changes else { return }
            kept.append(changes)
            if kept.count - first > limit {
                removeFirst()
                missed += 1
            }
        }

        /// The oldest event, if there is any.
        mutating func takeEvent() -> Event? {
            if missed > 0 {
                defer { missed = 0 }
                return .missed(missed)
            }
            guard first < kept.count, let changes = kept[first] else { return nil }
            removeFirst()
            return .changes(changes)
        }

        /// The waiters that are due, each with its event.
        mutating func takeDue() -> [(Waiter, Event)] {
            var due: [(Waiter, Event)] = []
            while !waiters.isEmpty, let event = takeEvent() {
                due.append((waiters.removeFirst(), event))
            }
            return due
        }

        private mutating func removeFirst() {
            kept[first] = nil
            first += 1
            // Moving the rest once for as many as were taken keeps each at a constant cost.
            if first * 2 >= kept.count {
                kept.removeFirst(first)
                first = 0
            }
        }
    }

    private struct Waiter {
        let number: Int
        let continuation: CheckedContinuation<Event?, Never>
    }

    /// Never held while the notifier, the store or a continuation is called.
    private let state = Lock(State())
    private let position: Int
    private let limit: Int
    /// The label of the store.
    private let store: String

    init(position: Int, limit: Int, store: String) {
        self.position = position
        self.limit = limit
        self.store = store
    }

    var interest: EntityMask { EntityMask(entity: position) }
    var wantsRows: Bool { true }

    func markIncomplete() { state.withLock { $0.isIncomplete = true } }

    func committed(_ commit: CommittedRecords) {
        let changes = commit.changes(of: E.self, at: position, in: store)
        let due = state.withLock { state in
            if state.isIncomplete {
                state.isIncomplete = false
                let unknown = ChangeRecord.everything
                state.append(unknown.changes(of: E.self, at: position, in: store), limit)
            }
            for changes in changes { state.append(changes, limit) }
            return state.takeDue()
        }
        for (waiter, event) in due { waiter.continuation.resume(returning: event) }
    }

    func lost(_ records: [ChangeRecord], wasVisible: Bool) {
        state.withLock { $0.isIncomplete = false }
    }

    func end() {
        let waiters = state.withLock { state in
            state.isEnded = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.continuation.resume(returning: nil) }
    }

    /// The next event; `nil` when all were returned and the store is closed, or if the task
    /// was cancelled.
    func next() async -> Event? {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Event?? in
                    // Cancelled before the handler could find the waiter.
                    if Task.isCancelled { return .some(nil) }
                    if let event = state.takeEvent() { return event }
                    if state.isEnded { return .some(nil) }
                    state.waiters.append(Waiter(number: number, continuation: continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.number == number }.map {
                    state.waiters.remove(at: $0)
                }
            }
            waiter?.continuation.resume(returning: nil)
        }
    }
}
