import Dispatch
import Locks
import SkiathosStore
import Synchronization

/// Notifies observers of what the root writer has committed.
///
/// Without observers, a write costs one atomic load for each flush, merge and commit.
final class CommitNotifier: Sendable {
    /// What observers of one group have in common, so that a commit finds them together.
    private struct Interest: Hashable {
        let entities: EntityMask
        let wantsRows: Bool
    }

    private struct State {
        var groups: [Interest: [ObjectIdentifier: any ChangeListener]] = [:]
        /// Those to be told of the next commit, whatever that has changed.
        var incomplete: [ObjectIdentifier: any ChangeListener] = [:]
        /// The records of the open batch, in the order of the merges.
        var merged: [ChangeRecord] = []
        var isEnded = false

        var listeners: [any ChangeListener] { groups.values.flatMap(\.values) }

        /// Those that observe any of the entities, or have to be told anyway.
        mutating func takeAffected(by touched: EntityMask) -> [any ChangeListener] {
            var affected = [any ChangeListener](incomplete.values)
            for (interest, group) in groups where !interest.entities.isDisjoint(with: touched) {
                if incomplete.isEmpty {
                    affected += group.values
                } else {
                    affected += group.lazy.filter { [incomplete] in incomplete[$0.key] == nil }
                        .map(\.value)
                }
            }
            incomplete = [:]
            return affected
        }
    }

    /// Held for moments, and never while an observer is notified.
    private let state = Lock(State())
    /// The observed entities.
    ///
    /// Changed while `state` is locked, and read at any time.
    private let interestBits: Atomic<UInt64>
    /// The entities whose rows are observed.
    ///
    /// Changed while `state` is locked, and read at any time.
    private let rowInterestBits: Atomic<UInt64>
    /// The entities with a `didCommit`, by position.
    private let observers: [(position: Int, entity: any CommitObserving.Type)]
    private let ownInterest: EntityMask
    /// The queue on which `didCommit` is called, in the order of the commits.
    private let deliveries = DispatchQueue(label: "skiathos.observers")
    /// The calls that are pending, for a shutdown to wait for.
    private let completions: DispatchGroup
    /// Whether reads can see changes that are merged but not committed.
    private let isBatchVisible: Bool
    /// The label of the store.
    private let store: String

    init(
        _ traits: [EntityTraits], of store: String, completions: DispatchGroup,
        isBatchVisible: Bool
    ) {
        self.store = store
        observers = traits.enumerated().compactMap { position, traits in
            traits.observer.map { (position, $0) }
        }
        ownInterest = EntityMask(observers.map { EntityMask(entity: $0.position) })
        interestBits = Atomic(ownInterest.rawValue)
        rowInterestBits = Atomic(ownInterest.rawValue)
        self.completions = completions
        self.isBatchVisible = isBatchVisible
    }

    /// The observed entities.
    var interest: EntityMask {
        EntityMask(rawValue: interestBits.load(ordering: .acquiring))
    }

    /// The entities whose rows are observed.
    var rowInterest: EntityMask {
        EntityMask(rawValue: rowInterestBits.load(ordering: .acquiring))
    }

    /// The number of observers.
    var listenerCount: Int { state.withLock { $0.groups.values.reduce(0) { $0 + $1.count } } }

    /// Adds an observer; returns whether the store is still open.
    func add(_ listener: any ChangeListener) -> Bool {
        state.withLock { state in
            guard !state.isEnded else { return false }
            let group = Interest(entities: listener.interest, wantsRows: listener.wantsRows)
            state.groups[group, default: [:]][ObjectIdentifier(listener)] = listener
            updateInterest(&state)
            return true
        }
    }

    /// Records that the batch which is open, or being committed, may hold changes that were not
    /// recorded for an observer.
    func markIncomplete(_ listener: any ChangeListener) {
        state.withLock { $0.incomplete[ObjectIdentifier(listener)] = listener }
        listener.markIncomplete()
    }

    func remove(_ listener: any ChangeListener) {
        state.withLock { state in
            let interest = Interest(entities: listener.interest, wantsRows: listener.wantsRows)
            state.incomplete[ObjectIdentifier(listener)] = nil
            guard var group = state.groups.removeValue(forKey: interest) else { return }
            group[ObjectIdentifier(listener)] = nil
            if !group.isEmpty { state.groups[interest] = group }
            updateInterest(&state)
        }
    }

    /// Records that a write was merged into the batch; called while the connection is held,
    /// and after the state of the root writer was updated.
    ///
    /// An observer that is added later finds an open batch.
    func merged(_ record: ChangeRecord) {
        guard !interest.isDisjoint(with: record.touched) else { return }
        state.withLock { $0.merged.append(record) }
    }

    /// Notifies observers that the batch was committed; called while the connection is held.
    func committed() {
        guard let (records, listeners) = takeBatch() else { return }
        let commit = CommittedRecords(records)
        for listener in listeners { listener.committed(commit) }
        deliver(records)
    }

    /// Notifies observers that the batch was lost; called while the connection is held.
    func lost() {
        guard let (records, listeners) = takeBatch() else { return }
        for listener in listeners { listener.lost(records, wasVisible: isBatchVisible) }
    }

    /// Notifies observers that the store was closed.
    func end() {
        let listeners = state.withLock { state in
            state.isEnded = true
            defer {
                state.groups = [:]
                state.incomplete = [:]
                updateInterest(&state)
            }
            return state.listeners
        }
        for listener in listeners { listener.end() }
    }

    private func takeBatch() -> (records: [ChangeRecord], listeners: [any ChangeListener])? {
        guard !interest.isEmpty else { return nil }
        return state.withLock { state in
            defer { state.merged = [] }
            let touched = EntityMask(state.merged.map(\.touched))
            return (state.merged, state.takeAffected(by: touched))
        }
    }

    /// Calls `didCommit` of the entities that have one, on a queue.
    private func deliver(_ records: [ChangeRecord]) {
        let records = records.filter { !ownInterest.isDisjoint(with: $0.touched) }
        guard !records.isEmpty else { return }
        deliveries.async(group: completions) { [observers, store] in
            for record in records {
                for (position, entity) in observers {
                    record.notify(entity, at: position, in: store)
                }
            }
        }
    }

    private func updateInterest(_ state: inout State) {
        var all = ownInterest
        var rows = ownInterest
        for interest in state.groups.keys {
            all.formUnion(interest.entities)
            if interest.wantsRows { rows.formUnion(interest.entities) }
        }
        // Records without an observer would be kept for ever.
        if all.isEmpty { state.merged = [] }
        interestBits.store(all.rawValue, ordering: .releasing)
        rowInterestBits.store(rows.rawValue, ordering: .releasing)
    }
}

extension ChangeRecord {
    fileprivate func notify<E: CommitObserving>(
        _ entity: E.Type, at position: Int, in store: String
    ) {
        if let changes = changes(of: E.self, at: position, in: store) { E.didCommit(changes) }
    }
}

/// An observer of commits, for as long as the ``CommitNotifier`` holds it.
///
/// All calls but those of its owner come while the writer's connection is in use, in the order
/// of the commits, so they must be short.
protocol ChangeListener: AnyObject, Sendable {
    /// The observed entities; always the same.
    var interest: EntityMask { get }
    /// Whether the observer needs to know which rows were changed.
    var wantsRows: Bool { get }
    /// The batch that is open, or being committed, may hold changes that were not recorded.
    func markIncomplete()
    /// A batch was committed that has changed an observed entity, or may have.
    func committed(_ commit: CommittedRecords)
    /// A batch was lost.
    ///
    /// - Parameter wasVisible: Whether reads could see it.
    func lost(_ records: [ChangeRecord], wasVisible: Bool)
    /// The store was closed.
    func end()
}
