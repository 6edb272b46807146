import SkiathosLocks
import SkiathosStore
import Synchronization

/// Keeps the changesets of one feed until the feed takes them.
///
/// Not generic, and it keeps what all feeds of an entity share: a commit passes here once for each
/// feed, and the type of the entity would have to be looked up each time.
final class ChangeBuffer: Sendable {
    /// An event of a feed, whose changes have no type here.
    enum Event: Sendable {
        case changes(CommittedChanges, Int)
        case missed(Int)
    }

    private struct State {
        /// The oldest is at `first`.
        var kept: [(changes: CommittedChanges, write: Int)?] = []
        var first = 0
        /// How many were dropped since the last event, because the buffer was full.
        var missed = 0
        var isEnded = false
        var waiters: [Waiter] = []
        var lastNumber = 0

        mutating func append(_ changes: CommittedChanges, _ limit: Int) {
            for write in 0..<changes.count {
                kept.append((changes, write))
                if kept.count - first > limit {
                    removeFirst()
                    missed += 1
                }
            }
        }

        /// The oldest event, if there is any.
        mutating func takeEvent() -> Event? {
            if missed > 0 {
                defer { missed = 0 }
                return .missed(missed)
            }
            guard first < kept.count, let (changes, write) = kept[first] else { return nil }
            removeFirst()
            return .changes(changes, write)
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
        let continuation: Continuation<Event?, Never>
    }

    /// Never held while the notifier, the store or a continuation is called.
    private let state = Lock(State())
    /// The position of the entity.
    let position: Int
    private let limit: Int
    /// The changes of the entity by a commit.
    private let changes: @Sendable (CommittedRecords) -> CommittedChanges

    init(
        position: Int, limit: Int,
        _ changes: @escaping @Sendable (CommittedRecords) -> CommittedChanges
    ) {
        self.position = position
        self.limit = limit
        self.changes = changes
    }

    /// A commit may hold changes that were not recorded; called before its ``committed(_:)``.
    func missedChanges() { append(changes(.everything)) }

    /// Writes of a commit have changed rows of the entity, or may have.
    func committed(_ commit: CommittedRecords) { append(changes(commit)) }

    private func append(_ changes: CommittedChanges) {
        let due = state.withLock { state in
            state.append(changes, limit)
            return state.takeDue()
        }
        for (waiter, event) in due { waiter.continuation.resume(returning: event) }
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
            await withContinuation { continuation in
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
