import SkiathosLocks
import SkiathosStore
import Synchronization

/// The observed queries of a store and their interests.
///
/// A query that reads tells it before and after. Batches that observers were notified of meanwhile
/// are kept, so that interests which are known only after a read are matched against them, too.
final class LiveQueries: Sendable {
    private struct Registration {
        let query: any AnyLiveQuery
        /// The key under which other observers find the query, if they share it.
        let key: SharedQuery?
        var observerCount = 0
        var dependencies: Set<ReadDependency> = []
        /// The numbers of its interests in the index, each with its entity.
        var interests: [(number: Int, entity: Int)] = []
    }

    private struct State {
        var registrations: [ObjectIdentifier: Registration] = [:]
        var shared: [SharedQuery: any AnyLiveQuery] = [:]
        var index = InterestIndex()
        /// How many interests there are in each entity, and how many of them need changed rows.
        var counts: [Int]
        var rowCounts: [Int]
        /// By entity, the columns on whose values the interests depend; those of interests that were
        /// removed stay in it as long as there are others.
        var columns: [ColumnSet]
        /// How many reads are under way, by the number of the last commit when they began.
        var reads: [UInt64: Int] = [:]
        /// The batches that observers were notified of while reads are under way.
        var recent: [BatchChanges] = []
        /// The size of all of them.
        var recentSize = 0
        /// The last batch that is not in `recent` although a read was under way.
        var lastForgotten: UInt64 = 0
        /// By entity, the number of the last commit when its changes began to be recorded for queries.
        var observedFrom: [UInt64]
    }

    /// How many changed rows are kept for reads that are under way.
    static let recentSizeLimit = 10_000

    /// How many interests the thread that commits tests, and how many queries it marks: as many as
    /// take no longer than to wake the thread of the notifications.
    private static var immediateTestLimit: Int { 16 }
    private static var immediateCount: Int { 2 }

    /// Never held while the store, a query or a continuation is called.
    ///
    /// The notifier's own lock is taken under it.
    private let state: Lock<State>
    private let schema: StoreSchema

    init(_ schema: StoreSchema) {
        self.schema = schema
        let zeros = [Int](repeating: 0, count: schema.entities.count)
        state = Lock(
            State(
                counts: zeros, rowCounts: zeros, columns: zeros.map { _ in [] },
                observedFrom: schema.entities.map { _ in 0 }))
    }

    /// How many changed rows are kept for reads that are under way.
    var recentSize: Int { state.withLock { $0.recentSize } }

    /// How many different queries are observed.
    var count: Int { state.withLock { $0.registrations.count } }

    /// Adds an observer to the query with a key, which is made if there is none.
    ///
    /// - Parameter key: What equal queries have in common; `nil` for a query of its own.
    func join<Query: AnyLiveQuery>(
        _ key: SharedQuery?, _ make: @Sendable () -> Query
    ) -> Query {
        state.withLock { state in
            let known = key.flatMap { state.shared[$0] as? Query }
            let query = known ?? make()
            let id = ObjectIdentifier(query)
            state.registrations[id, default: Registration(query: query, key: key)]
                .observerCount += 1
            if let key { state.shared[key] = query }
            return query
        }
    }

    /// Removes an observer of a query; the last one removes the query.
    func leave(_ query: any AnyLiveQuery, _ notifier: CommitNotifier) {
        let id = ObjectIdentifier(query)
        state.withLock { state in
            state.registrations[id]?.observerCount -= 1
            guard let registration = state.registrations[id], registration.observerCount == 0
            else { return }
            state.registrations[id] = nil
            if let key = registration.key { state.shared[key] = nil }
            remove(registration, from: &state)
            publish(state, to: notifier)
        }
    }

    /// A read of a query begins; returns the number of the last commit, which the read sees.
    func beginRead(_ notifier: CommitNotifier) -> UInt64 {
        state.withLock { state in
            let number = notifier.commitNumber
            state.reads[number, default: 0] += 1
            return number
        }
    }

    /// A read of a query has ended; observes what it has read, in place of what the read before has
    /// read.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - start: What ``beginRead(_:)`` has returned.
    ///   - dependencies: What the read depends on.
    ///   - isComplete: Whether the read has not failed; else it adds to the dependencies.
    ///   - commits: What knows whether a batch is open.
    /// - Returns: Whether a commit after the beginning of the read has changed what it has read, or
    ///   may have.
    func endRead(
        _ query: any AnyLiveQuery, _ start: UInt64, _ dependencies: Set<ReadDependency>,
        isComplete: Bool, _ notifier: CommitNotifier, _ commits: GroupCommit
    ) -> Bool {
        let id = ObjectIdentifier(query)
        return state.withLock { state in
            defer { endRead(start, &state) }
            guard var registration = state.registrations[id] else { return false }
            var dependencies = dependencies
            if !isComplete { dependencies.formUnion(registration.dependencies) }
            guard dependencies != registration.dependencies else { return false }
            let before = state.counts
            remove(registration, from: &state)
            registration.dependencies = dependencies
            registration.interests = []
            var index = InterestIndex()
            for dependency in dependencies {
                let interest = Interest(dependency, in: schema)
                insert(interest, of: query, &registration, &state)
                _ = index.insert(interest, of: query)
            }
            state.registrations[id] = registration
            publish(state, to: notifier)
            observe(before, &state, notifier, commits)
            return isOutdated(registration, start, index, state)
        }
    }

    /// Records since when the changes of entities are recorded that were not observed before.
    private func observe(
        _ before: [Int], _ state: inout State, _ notifier: CommitNotifier, _ commits: GroupCommit
    ) {
        let new = state.counts.indices.filter { before[$0] == 0 && state.counts[$0] > 0 }
        guard !new.isEmpty else { return }
        // Of writes that were merged before, nothing was recorded.
        if commits.isBatchOpen {
            notifier.markUnrecorded(EntityMask(new.map { EntityMask(entity: $0) }))
        }
        // After that: a batch that was committed meanwhile counts as one before.
        let number = notifier.commitNumber
        for entity in new { state.observedFrom[entity] = number }
    }

    /// Whether a commit since the beginning of a read matters to what it has registered, or may.
    private func isOutdated(
        _ registration: Registration, _ start: UInt64, _ index: InterestIndex, _ state: State
    ) -> Bool {
        // Also where another query has begun to observe the entity meanwhile.
        let isUnrecorded = registration.interests.contains {
            state.observedFrom[$0.entity] > start
        }
        guard !isUnrecorded, state.lastForgotten <= start else { return true }
        // The batches since were not matched against these interests.
        var isOutdated = false
        for batch in state.recent where batch.number > start {
            // It was encoded before a query looked at other columns.
            guard batch.contain(state.columns) else { return true }
            index.forEachAffected(by: batch) { _ in isOutdated = true }
        }
        return isOutdated
    }

    /// Marks the queries that a batch affects, if a few tests find them and they are few; returns
    /// whether it did.
    ///
    /// Called by the thread that commits: it waits for no other thread, and at the most one task of
    /// each query is resumed. No earlier batch is queued.
    ///
    /// - Parameters:
    ///   - batch: The batch.
    ///   - columns: For each entity, the columns on whose values the interests depend, as last published.
    func committedAtOnce(_ batch: CommittedBatch, comparing columns: [ColumnSet]) -> Bool {
        // Not under the lock: encoding a value may call code of the entity.
        let changes = BatchChanges(batch, columns)
        let affected = state.withLockIfAvailable { state -> [any AnyLiveQuery]? in
            guard changes.contain(state.columns),
                let affected = state.index.affected(
                    by: changes, testing: Self.immediateTestLimit, upTo: Self.immediateCount)
            else { return nil }
            if !state.reads.isEmpty { keep(changes, &state) }
            return affected
        }
        guard let affected = affected ?? nil else { return false }
        let whole =
            affected.contains(where: \.needsRows)
            ? BatchChanges(batch, entityCount: columns.count) : changes
        for query in affected { query.committed(whole) }
        return true
    }

    /// Marks the queries that a batch affects.
    func committed(_ changes: BatchChanges) {
        let affected = state.withLock { state in
            var affected: [ObjectIdentifier: any AnyLiveQuery] = [:]
            state.index.forEachAffected(by: changes) { affected[ObjectIdentifier($0)] = $0 }
            if !state.reads.isEmpty { keep(changes, &state) }
            return Array(affected.values)
        }
        for query in affected { query.committed(changes) }
    }

    /// Ends all queries.
    func end() {
        let registrations = state.withLock { Array($0.registrations.values) }
        for registration in registrations { registration.query.end() }
    }
}

extension LiveQueries {
    private func keep(_ changes: BatchChanges, _ state: inout State) {
        state.recent.append(changes)
        state.recentSize += changes.size
        guard state.recentSize > Self.recentSizeLimit else { return }
        // Many at a time, since the others move.
        var count = 0
        while state.recentSize > Self.recentSizeLimit / 2, count < state.recent.count {
            state.lastForgotten = state.recent[count].number
            state.recentSize -= state.recent[count].size
            count += 1
        }
        state.recent.removeFirst(count)
    }

    private func endRead(_ start: UInt64, _ state: inout State) {
        if let count = state.reads[start], count > 1 {
            state.reads[start] = count - 1
        } else {
            state.reads[start] = nil
        }
        guard let oldest = state.reads.keys.min() else {
            state.recent = []
            state.recentSize = 0
            return
        }
        state.recent.removeAll { $0.number <= oldest }
        state.recentSize = state.recent.reduce(0) { $0 + $1.size }
    }

    private func insert(
        _ interest: Interest, of query: any AnyLiveQuery, _ registration: inout Registration,
        _ state: inout State
    ) {
        let number = state.index.insert(interest, of: query)
        registration.interests.append((number, interest.entity))
        state.counts[interest.entity] += 1
        if let condition = interest.condition {
            state.columns[interest.entity].formUnion(condition.columns)
        }
        if interest.needsRows || query.needsRows { state.rowCounts[interest.entity] += 1 }
    }

    private func remove(_ registration: Registration, from state: inout State) {
        for (number, entity) in registration.interests {
            if let interest = state.index.remove(number, of: entity) {
                state.counts[entity] -= 1
                if state.counts[entity] == 0 { state.columns[entity] = [] }
                if interest.needsRows || registration.query.needsRows {
                    state.rowCounts[entity] -= 1
                }
            }
        }
    }

    private func publish(_ state: State, to notifier: CommitNotifier) {
        notifier.setLiveInterest(
            mask(state.counts), rows: mask(state.rowCounts), columns: state.columns)
    }

    private func mask(_ counts: [Int]) -> EntityMask {
        EntityMask(
            counts.indices.lazy.filter { counts[$0] > 0 }.map { EntityMask(entity: $0) })
    }
}

/// A query that observers keep up to date, whatever the type of its value.
protocol AnyLiveQuery: AnyObject, Sendable {
    /// Whether it needs the rows that were changed, and not only to know that they were; always the
    /// same.
    var needsRows: Bool { get }
    /// A batch has changed rows that matter to it, or may have.
    ///
    /// - Parameter changes: The changes; unless it needs rows, they may lack values.
    func committed(_ changes: BatchChanges)
    /// The store was closed.
    func end()
}
