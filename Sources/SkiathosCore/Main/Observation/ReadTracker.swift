import SkiathosLocks
import SkiathosStore
import Synchronization

/// Collects what a read depends on.
final class ReadTracker: Sendable {
    private struct State {
        var dependencies: Set<ReadDependency> = []
        /// The IDs that were looked up, by the position of their entity.
        var ids: [Int: LookedUp] = [:]
        /// The entities of which every row matters.
        var whole: Set<Int> = []
        /// How many dependencies of an entity are kept.
        var counts: [Int: Int] = [:]
        var isEverything = false
    }

    /// IDs in the order in which they were looked up first.
    private struct LookedUp {
        var all: [StoreValue] = []
        var known: Set<StoreValue> = []

        mutating func add(_ ids: [StoreValue]) {
            for id in ids where known.insert(id).inserted { all.append(id) }
        }
    }

    /// How many IDs, and how many conditions, are kept for an entity before every row of it counts:
    /// a read that looks up more pays for them at each commit.
    private static var idLimit: Int { 1_024 }
    private static var conditionLimit: Int { 64 }

    private let state = Lock(State())

    /// Adds the dependencies of a request.
    func add(_ dependencies: [ReadDependency]) {
        state.withLock { state in
            for dependency in dependencies {
                let entity = dependency.entity
                guard !state.whole.contains(entity) else { continue }
                guard !dependency.isWhole, state.counts[entity, default: 0] < Self.conditionLimit
                else {
                    state.whole.insert(entity)
                    continue
                }
                if state.dependencies.insert(dependency).inserted {
                    state.counts[entity, default: 0] += 1
                }
            }
        }
    }

    /// Adds rows that were looked up by their IDs.
    func add(_ ids: [StoreValue], of entity: Int) {
        state.withLock { state in
            guard !state.whole.contains(entity) else { return }
            state.ids[entity, default: LookedUp()].add(ids)
            if state.ids[entity, default: LookedUp()].all.count > Self.idLimit {
                state.whole.insert(entity)
                state.ids[entity] = nil
            }
        }
    }

    /// Records that any row of any entity may have been read.
    func addEverything() { state.withLock { $0.isEverything = true } }

    /// What the read has depended on.
    func dependencies(in schema: StoreSchema) -> Set<ReadDependency> {
        state.withLock { state in
            if state.isEverything {
                return Set(schema.entities.indices.map { ReadDependency(entity: $0) })
            }
            var result = state.dependencies.filter { !state.whole.contains($0.entity) }
            for entity in state.whole { result.insert(ReadDependency(entity: entity)) }
            for (entity, ids) in state.ids where !state.whole.contains(entity) {
                result.insert(ReadDependency(entity: entity, ids: ids.all))
            }
            return result
        }
    }
}

extension ReadDependency {
    /// A dependency on the rows with some IDs.
    init(entity: Int, ids: [StoreValue]) {
        self.init(entity: entity, predicate: .contained(.column(0), ids))
    }
}
