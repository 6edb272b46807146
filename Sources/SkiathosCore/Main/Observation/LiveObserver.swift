import Dispatch
import Locks
import Synchronization

/// One iterator of an observation: its place among the observers of a query, and the value that it
/// has given last.
///
/// Used by one task at a time, as the iterator is. When it is released, it leaves the query.
final class LiveObserver<Value: Sendable>: Sendable {
    private struct State {
        /// The number of the value that was returned last; 0 for none.
        var seen = 0
        /// When that was.
        var returned: ContinuousClock.Instant?
    }

    private let query: LiveQuery<Value>
    private let coordinator: AccessCoordinator
    private let pace: Duration?
    private let state = Lock(State())

    init(_ query: LiveQuery<Value>, _ coordinator: AccessCoordinator, pace: Duration?) {
        self.query = query
        self.coordinator = coordinator
        self.pace = pace
    }

    deinit { coordinator.main.leave(query) }

    /// The next value; `nil` if the store was closed or the task cancelled.
    func next() async throws -> Value? {
        let state = state.withLock { $0 }
        if let pace, let returned = state.returned {
            guard await query.pauses.pause(until: returned + pace) else { return nil }
        }
        guard let given = try await query.next(after: state.seen) else { return nil }
        self.state.withLock { state in
            state.seen = given.number
            if pace != nil { state.returned = .now }
        }
        return given.value
    }
}
