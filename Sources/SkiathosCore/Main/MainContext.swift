import Dispatch
import SkiathosStore

/// The main context of a store: what reads see, which is the newest committed version.
///
/// It owns the connections that only read, the row caches and the observers. The root writer tells it
/// of merges and publishes each commit; nothing goes from here to the root writer.
final class MainContext: Sendable {
    /// Admits reads; in a store with one connection it grants the write permit.
    let gate: AdmissionGate
    /// The connections of reads.
    let slots: ReaderSlots
    /// The row caches of reads; `nil` where reads see what is merged, or other programs may write.
    let caches: RowCaches?
    /// Notifies observers.
    let observers: CommitNotifier
    /// Watches for commits of other processes; `nil` where this process alone writes.
    let otherProcesses: OtherProcesses?

    /// - Parameters:
    ///   - permits: Grants the write permit, and admits reads where there is one connection for all.
    ///   - stop: Set when the deadline of a shutdown has passed.
    ///   - completions: Holds the notifications that a shutdown waits for.
    init(
        store: any PersistentStore, traits: [EntityTraits], permits: AdmissionGate,
        stop: CancellationFlag, configuration: Configuration, metrics: StoreMetrics?,
        completions: DispatchGroup
    ) throws {
        let caches = try RowCaches(for: store, size: configuration.rowCacheSize)
        let connections: [any StoreReader]
        let mode = ConnectionMode(store.readers.count)
        let turns = mode == .pool ? store.readers.map { _ in SlotTurn() } : [SlotTurn()]
        switch mode {
        case .single:
            gate = permits
            connections = [store.writer]
        case .pool:
            gate = AdmissionGate(
                capacity: store.readers.count, jobLimit: 0, label: "skiathos.reads",
                patience: configuration.shutdownDeadline, metrics: metrics?.readQueue,
                turns: turns)
            connections = store.readers
        }
        slots = ReaderSlots(
            zip(connections, turns).enumerated().map { [gate] number, slot in
                ReaderSlot(
                    slot.0, store.schema, stop, caches, gate, number: number, turn: slot.1)
            }, gate: gate, areReservable: mode == .pool)
        self.caches = caches
        observers = CommitNotifier(
            traits, store.schema, of: configuration.label, completions: completions,
            isBatchVisible: mode == .single)
        otherProcesses = OtherProcesses(store, observers, configuration)
    }

    /// The entities whose changes are observed, and those whose changed rows are.
    var interest: (entities: EntityMask, rows: EntityMask) {
        (observers.interest, observers.rowInterest)
    }

    /// The number of observers.
    var observerCount: Int { observers.observerCount }

    /// Records what a write has done that was merged into the open batch; called while the
    /// writing connection is held.
    func merged(_ journal: WriteJournal) {
        observers.merged(journal.record)
        caches?.merged(journal.invalidation)
    }

    /// Records that the next commit may change any row, for the caches; called before it.
    func willChangeAnyRow() { caches?.merged(.everything) }

    /// Records that the last commit may have changed any row, for observers.
    func changedAnyRow() { observers.merged(.everything) }

    /// Removes the rows that a commit changes from the caches; called before it, while the writing
    /// connection is held.
    ///
    /// - Parameter before: The version that the commit is based on.
    func willCommit(from before: UInt64?) { caches?.willCommit(from: before) }

    /// Records for the caches that a commit has failed; called while the writing connection is held.
    ///
    /// - Parameter version: That of the store, or `nil` if it is not known.
    func commitFailed(at version: UInt64?) { caches?.commitEnded(at: version) }

    /// Counts a commit; called while the writing connection is held, and before the batch counts as
    /// committed.
    func willAdvance() { observers.willPublish() }

    /// Publishes the version that a commit has made, after ``willAdvance()``, and notifies observers.
    ///
    /// Called while the writing connection is held.
    ///
    /// - Parameter version: That after the commit, or `nil` if it is not known.
    func advance(to version: UInt64?) {
        caches?.commitEnded(at: version)
        observers.committed(version: version)
    }

    /// Forgets the open batch, which was rolled back; called while the writing connection is held.
    func discardBatch() {
        caches?.lost()
        observers.lost()
    }

    /// Adds an observer to the query with a key, which is made if there is none.
    ///
    /// - Parameter key: What equal queries have in common; `nil` for a query of its own.
    func join<Query: AnyLiveQuery>(
        _ key: SharedQuery?, _ make: @Sendable () -> Query
    ) -> Query {
        otherProcesses?.observerBegins()
        return observers.live.join(key, make)
    }

    /// Removes an observer of a query; the last one removes the query.
    func leave(_ query: any AnyLiveQuery) {
        observers.live.leave(query, observers)
        otherProcesses?.observerEnded()
    }

    /// Adds a feed of later commits; returns whether the store is still open.
    func add(_ feed: ChangeBuffer) -> Bool {
        otherProcesses?.observerBegins()
        if observers.add(feed) { return true }
        otherProcesses?.observerEnded()
        return false
    }

    func remove(_ feed: ChangeBuffer) {
        observers.remove(feed)
        otherProcesses?.observerEnded()
    }

    /// Records that a feed may miss changes of the batch that is open or being committed.
    func markIncomplete(_ feed: ChangeBuffer) { observers.markIncomplete(feed) }

    /// Notifies observers that the store was closed.
    func end() { observers.end() }
}
