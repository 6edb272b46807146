import SkiathosLocks
import SkiathosStore
import Synchronization

/// The rows of a query as differences, from ``ObservedQuery/differences``.
///
/// The first difference is that of an empty list and the present rows, also if there are none. Each
/// further one leads from the list that the one before has made to that of a newer version.
///
/// The differences of a query without sort keys are those of its rows in the order of their IDs.
public struct ListDifferences<E: Entity>: AsyncSequence, Sendable {
    let coordinator: AccessCoordinator
    let place: SourcePlace
    let query: Query<E>
    let pace: Duration?

    /// Creates an iterator, which reads when its first difference is requested.
    public func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

    /// Returns one difference after the other.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let sequence: ListDifferences
        /// `nil` before the first difference and at the end.
        private var observer: ListObserver<E>?
        private var hasBegun = false

        fileprivate init(sequence: ListDifferences) { self.sequence = sequence }

        /// Waits until the list differs from the last one.
        ///
        /// - Returns: `nil` when the data access layer is closed or the task cancelled.
        /// - Throws: What the first read throws. The errors of later ones are reported to the
        ///   error handler of the configuration, and the list is read again at the next change.
        public mutating func next() async throws -> ListDifference<E>? {
            if !hasBegun {
                hasBegun = true
                observer = ListObserver(sequence)
            }
            guard let observer else { return nil }
            do {
                let difference = try await observer.next()
                if difference == nil { self.observer = nil }
                return difference
            } catch {
                self.observer = nil
                throw error
            }
        }
    }
}

/// One iterator of differences, and the list that they have made so far.
///
/// Used by one task at a time, as the iterator is. When it is released, it leaves the query.
final class ListObserver<E: Entity>: Sendable {
    /// The list as the observer has it.
    private enum List {
        /// One that can change row by row.
        case ordered(OrderedRows<E>)
        case plain([E])
    }

    private struct State {
        var list: List
        var hasList = false
        /// When the last difference was returned.
        var returned: ContinuousClock.Instant?
    }

    private let query: LiveList<E>
    private let coordinator: AccessCoordinator
    private let pace: Duration?
    private let state: Lock<State>

    init(_ sequence: ListDifferences<E>) {
        coordinator = sequence.coordinator
        pace = sequence.pace
        let query = coordinator.main.join(nil) {
            LiveList(sequence.coordinator, sequence.place, sequence.query)
        }
        self.query = query
        state = Lock(State(list: query.emptyList.map { .ordered($0) } ?? .plain([])))
    }

    deinit { coordinator.main.leave(query) }

    /// The next difference; `nil` if the store was closed or the task cancelled.
    func next() async throws -> ListDifference<E>? {
        let (hasList, returned) = state.withLock { ($0.hasList, $0.returned) }
        if let pace, let returned {
            guard await query.pauses.pause(until: returned + pace) else { return nil }
        }
        while let change = try await query.next(isFirst: !hasList) {
            let difference = try state.withLock { state in
                state.hasList = true
                return try Self.apply(change, to: &state.list)
            }
            if hasList, difference.isEmpty { continue }
            if pace != nil { state.withLock { $0.returned = .now } }
            return difference
        }
        return nil
    }

    private static func apply(
        _ change: LiveList<E>.Change, to list: inout List
    ) throws -> ListDifference<E> {
        switch list {
        case .ordered(var rows):
            // Taken out, so that it is changed in place.
            list = .plain([])
            defer { list = .ordered(rows) }
            switch change {
            case .list(let all): return try rows.replace(with: all)
            case .updates(let updates): return try rows.apply(updates)
            }
        case .plain(let old):
            guard case .list(let new) = change else {
                preconditionFailure("A list that only the store can sort was given changed rows.")
            }
            list = .plain(new)
            return ListDifference(from: old, to: new)
        }
    }
}
