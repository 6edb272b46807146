import Dispatch
import SkiathosLocks
import Synchronization

/// One iterator of an observation: its place among the observers of a query, and the value that it
/// has given last.
///
/// Used by one task at a time, as the iterator is. When it is released, it leaves the query.
final class LiveObserver<Value: Sendable>: Sendable {
    private struct State {
        /// The value that was returned last; `nil` for none.
        var last: LiveQuery<Value>.Given?
        /// When that was.
        var returned: ContinuousClock.Instant?
    }

    let query: LiveQuery<Value>
    private let coordinator: AccessCoordinator
    private let pace: Duration?
    private let state = Lock(State())

    init(_ query: LiveQuery<Value>, _ coordinator: AccessCoordinator, pace: Duration?) {
        self.query = query
        self.coordinator = coordinator
        self.pace = pace
    }

    deinit { coordinator.main.leave(query) }

    var notifier: CommitNotifier { coordinator.main.observers }

    /// The number of the value that was returned last; 0 for none.
    var seen: Int { state.withLock { $0.last?.number ?? 0 } }

    /// The moment before which no other value may be returned; `nil` if that may be at once.
    var pauseEnd: ContinuousClock.Instant? {
        guard let pace else { return nil }
        return state.withLock { $0.returned.map { $0 + pace } }
    }

    /// The last value, if it is a later one than was returned last, and another one.
    func take() -> Value? {
        let last = state.withLock { $0.last }
        guard let given = query.value(after: last?.number ?? 0) else { return nil }
        // Other observers may have had values in between, of which the newest is like the last one of
        // this. Two values in succession differ.
        let isSame =
            last.map { $0.number + 1 < given.number && query.areSame($0.value, given.value) }
            ?? false
        state.withLock { state in
            state.last = given
            if pace != nil, !isSame { state.returned = .now }
        }
        return isSame ? nil : given.value
    }
}
