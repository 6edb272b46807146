import SkiathosLocks
import SkiathosStore
import Synchronization
import Testing

@testable import SkiathosCore

/// A query that counts how often it was woken.
final class Woken: AnyLiveQuery {
    let count = Lock(0)
    var needsRows: Bool { false }
    func committed(_ changes: BatchChanges) { count.withLock { $0 += 1 } }
    func end() {}
}

extension CommitNotifier {
    /// Observes what a query depends on, as if it had read it.
    func observe(
        _ query: some AnyLiveQuery, _ dependency: ReadDependency, of dal: DataAccessLayer
    ) {
        let start = beginRead(query)
        #expect(!endRead(query, start, [dependency], of: dal))
    }

    /// Begins a read of a query, which observes from its end on.
    func beginRead(_ query: some AnyLiveQuery) -> UInt64 {
        _ = live.join(nil) { query }
        return live.beginRead(self)
    }

    /// Ends a read of a query; returns whether it is outdated.
    func endRead(
        _ query: some AnyLiveQuery, _ start: UInt64, _ dependencies: Set<ReadDependency>,
        of dal: DataAccessLayer
    ) -> Bool {
        live.endRead(
            query, start, dependencies, isComplete: true, self, dal.coordinator.commits)
    }
}
