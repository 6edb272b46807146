import Dispatch
import SkiathosLocks
import SkiathosStore
import Synchronization

/// Notifies observers of what the root writer has committed.
///
/// A commit appends one record to a queue, which keeps a bounded number of changed rows, and all else
/// happens on a thread of its own. Without observers, a write costs two atomic loads for each flush and
/// each change without objects, and one for each merge and commit.
final class CommitNotifier: Sendable {
    /// How many changed rows are kept for observers that are slower than the writers.
    static let queuedSizeLimit = 10_000

    private struct State {
        /// The feeds by the position of their entity.
        var feeds: [Int: [ObjectIdentifier: ChangeBuffer]] = [:]
        /// Those that may have missed changes of the batch that is open or being committed.
        var incompleteFeeds: [ObjectIdentifier: ChangeBuffer] = [:]
        /// The entities of which the batch that is open or being committed may hold changes that were
        /// not recorded for live queries.
        var unrecorded: EntityMask = []
        /// The entities in which live queries are interested.
        var live: EntityMask = []
        /// Those whose changed rows live queries need.
        var liveRows: EntityMask = []
        /// By entity, the columns by whose values a changed row is compared with live queries.
        var liveColumns: [ColumnSet]
        /// The records of the open batch, in the order of the merges.
        var merged: [ChangeRecord] = []
        /// The batches of which observers were not notified yet, the oldest first.
        private(set) var queue: [CommittedBatch] = []
        /// The size of all of them.
        private(set) var queuedSize = 0
        /// Whether a job that empties the queue is running or due.
        var isDraining = false
        var isEnded = false

        /// Takes the open batch; one that was lost is none of the feeds' business.
        mutating func takeBatch(
            _ number: UInt64, version: UInt64?, isLost: Bool
        ) -> CommittedBatch {
            defer { discardBatch() }
            return CommittedBatch(
                number: number, version: version, records: merged,
                feeds: isLost || feeds.isEmpty ? [] : touchedFeeds,
                incompleteFeeds: isLost || incompleteFeeds.isEmpty
                    ? [] : Array(incompleteFeeds.values),
                unrecorded: unrecorded)
        }

        /// Forgets the open batch.
        mutating func discardBatch() {
            merged = []
            if !incompleteFeeds.isEmpty { incompleteFeeds = [:] }
            unrecorded = []
        }

        /// Queues a batch, without its changed rows if there are too many already: queries that these
        /// may concern are read again, once for all such batches.
        mutating func append(_ batch: CommittedBatch) {
            let size = batch.size
            guard !queue.isEmpty, queuedSize + size > queuedSizeLimit, !batch.hasFeeds else {
                queue.append(batch)
                queuedSize += size
                return
            }
            if let last = queue.last, last.records.isEmpty, !last.hasFeeds {
                queue[queue.count - 1] = last.followed(by: batch.withoutRows)
            } else {
                queue.append(batch.withoutRows)
                queuedSize += 1
            }
        }

        /// Takes all batches that are queued.
        mutating func takeQueue() -> [CommittedBatch] {
            defer { (queue, queuedSize) = ([], 0) }
            return queue
        }

        /// Whether live queries are interested in an entity that a batch has touched.
        func isLive(_ batch: CommittedBatch) -> Bool {
            batch.records.contains { !live.isDisjoint(with: $0.touched) }
        }

        /// The feeds of the entities that the open batch has touched.
        private var touchedFeeds: [ChangeBuffer] {
            let touched = EntityMask(merged.map(\.touched))
            return feeds.flatMap { entity, feeds -> [ChangeBuffer] in
                touched.contains(entity: entity) ? Array(feeds.values) : []
            }
        }
    }

    /// Held for moments, and never while an observer is notified.
    private let state: Lock<State>
    /// The observed entities.
    ///
    /// Changed while `state` is locked, and read at any time.
    private let interestBits: Atomic<UInt64>
    /// The entities whose rows are observed.
    ///
    /// Changed while `state` is locked, and read at any time.
    private let rowInterestBits: Atomic<UInt64>
    /// The number of the last commit; see ``willPublish()``.
    private let lastCommit = Atomic<UInt64>(0)
    /// Whether observers need the next batch, whatever it has changed.
    private let isBatchExpected = Atomic<Bool>(false)
    /// The number of the last batch that was queued.
    private let lastQueued = Atomic<UInt64>(0)
    /// The number of the last batch of which all observers were notified.
    private let lastNotified = Atomic<UInt64>(0)
    /// The queries that observers keep up to date.
    let live: LiveQueries
    /// The entities with a `didCommit`, by position.
    private let observers: [(position: Int, entity: any CommitObserving.Type)]
    private let ownInterest: EntityMask
    /// Where observers are notified, in the order of the commits.
    private let notifications = DispatchQueue(label: "skiathos.notifications")
    /// The queue on which `didCommit` is called, in the order of the commits.
    private let deliveries = DispatchQueue(label: "skiathos.observers")
    /// The calls that are pending, for a shutdown to wait for.
    private let completions: DispatchGroup
    /// Whether reads can see changes that are merged but not committed.
    private let isBatchVisible: Bool
    /// The label of the store.
    private let store: String
    private let entityCount: Int

    init(
        _ traits: [EntityTraits], _ schema: StoreSchema, of store: String,
        completions: DispatchGroup, isBatchVisible: Bool
    ) {
        self.store = store
        entityCount = schema.entities.count
        state = Lock(State(liveColumns: schema.entities.map { _ in [] }))
        live = LiveQueries(schema)
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

    /// The number of feeds and of different observed queries.
    var observerCount: Int {
        live.count + state.withLock { $0.feeds.values.reduce(0) { $0 + $1.count } }
    }

    /// How many changed rows wait for observers.
    var queuedSize: Int { state.withLock { $0.queuedSize } }

    /// The number of the last commit; a read that begins now sees it.
    var commitNumber: UInt64 { lastCommit.load(ordering: .acquiring) }

    /// Whether observers were notified of everything that was committed before the call.
    var isCaughtUp: Bool {
        lastQueued.load(ordering: .acquiring) <= lastNotified.load(ordering: .acquiring)
    }

    /// Adds a feed; returns whether the store is still open.
    func add(_ feed: ChangeBuffer) -> Bool {
        state.withLock { state in
            guard !state.isEnded else { return false }
            state.feeds[feed.position, default: [:]][ObjectIdentifier(feed)] = feed
            updateInterest(&state)
            return true
        }
    }

    func remove(_ feed: ChangeBuffer) {
        state.withLock { state in
            state.incompleteFeeds[ObjectIdentifier(feed)] = nil
            state.feeds[feed.position]?[ObjectIdentifier(feed)] = nil
            if state.feeds[feed.position]?.isEmpty == true { state.feeds[feed.position] = nil }
            updateInterest(&state)
        }
    }

    /// Records that the batch which is open, or being committed, may hold changes that were not
    /// recorded for a feed.
    func markIncomplete(_ feed: ChangeBuffer) {
        state.withLock { $0.incompleteFeeds[ObjectIdentifier(feed)] = feed }
        expectBatch()
    }

    /// Records that the batch which is open, or being committed, may hold changes of entities that
    /// were not recorded for live queries.
    func markUnrecorded(_ entities: EntityMask) {
        state.withLock { $0.unrecorded.formUnion(entities) }
        expectBatch()
    }

    /// Has observers notified of the next batch, whatever it has changed.
    private func expectBatch() { isBatchExpected.store(true, ordering: .releasing) }

    /// Sets the entities in which live queries are interested.
    ///
    /// - Parameters:
    ///   - entities: The entities.
    ///   - rows: Those whose changed rows they need.
    ///   - columns: For each entity, the columns by whose values a changed row is compared with them.
    func setLiveInterest(_ entities: EntityMask, rows: EntityMask, columns: [ColumnSet]) {
        state.withLock { state in
            state.live = entities
            state.liveRows = rows
            state.liveColumns = columns
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

    /// Counts a commit; called while the connection is held, and before the batch counts as
    /// committed.
    ///
    /// An observer that is added meanwhile finds either a batch that is being committed, or the new
    /// number.
    func willPublish() { lastCommit.wrappingAdd(1, ordering: .acquiringAndReleasing) }

    /// Queues the batch that was committed, after ``willPublish()``; called while the connection is
    /// held.
    func committed(version: UInt64?) {
        guard isAwaited else { return }
        let records = enqueue(commitNumber, version: version, isLost: false)
        deliver(records)
    }

    /// Queues the batch that was lost, if reads could see it; called while the connection is held.
    func lost() {
        guard isAwaited else { return }
        guard isBatchVisible else {
            return state.withLock { $0.discardBatch() }
        }
        willPublish()
        _ = enqueue(commitNumber, version: nil, isLost: true)
    }

    /// Queues a batch that may have changed any row, since another process has committed; called by
    /// one thread at a time, in a store that is open for reading only.
    func committedElsewhere() {
        willPublish()
        merged(.everything)
        guard isAwaited else { return }
        // `didCommit` is about the commits of this process.
        _ = enqueue(commitNumber, version: nil, isLost: false)
    }

    /// Ends all observations, after those that are queued were notified.
    func end() {
        state.withLock { state in
            state.isEnded = true
            drainIfNeeded(&state)
        }
    }

    private var isAwaited: Bool {
        !interest.isEmpty || isBatchExpected.load(ordering: .acquiring)
    }

    /// Takes the open batch, and queues it unless it matters to few observers or none; returns its
    /// records.
    ///
    /// A few changed rows are compared with the observed queries here: that takes less time than
    /// waking another thread. If a query or two are concerned, their tasks are resumed here for the
    /// same reason: the thread of the notifications would be woken only to wake them.
    private func enqueue(_ number: UInt64, version: UInt64?, isLost: Bool) -> [ChangeRecord] {
        let isExpected = isBatchExpected.exchange(false, ordering: .acquiringAndReleasing)
        let (batch, columns, isQuick) = state.withLock { state in
            let batch = state.takeBatch(number, version: version, isLost: isLost)
            let isOfInterest = isExpected || batch.hasFeeds || state.isLive(batch)
            // Earlier batches come first.
            let isQuick = !isExpected && !isLost && !state.isDraining && batch.isSmall
            if isOfInterest, !isQuick { append(batch, &state) }
            return (batch, state.liveColumns, isOfInterest && isQuick)
        }
        // The connection is held, so no other batch was queued meanwhile.
        if isQuick, !live.committedAtOnce(batch, comparing: columns) {
            state.withLock { append(batch, &$0) }
        }
        return batch.records
    }

    private func append(_ batch: CommittedBatch, _ state: inout State) {
        state.append(batch)
        lastQueued.store(batch.number, ordering: .releasing)
        drainIfNeeded(&state)
    }

    private func drainIfNeeded(_ state: inout State) {
        guard !state.isDraining else { return }
        state.isDraining = true
        notifications.async { [self] in drain() }
    }

    /// Notifies observers of all batches that are queued.
    private func drain() {
        while true {
            let (batches, isEnded) = state.withLock { state in
                let batches = state.takeQueue()
                if batches.isEmpty { state.isDraining = false }
                return (batches, state.isEnded)
            }
            for batch in batches { notify(batch) }
            if batches.isEmpty {
                if isEnded { endAll() }
                return
            }
        }
    }

    private func notify(_ batch: CommittedBatch) {
        if batch.hasFeeds {
            let commit = CommittedRecords(batch.records)
            for feed in batch.incompleteFeeds { feed.missedChanges() }
            for feed in batch.feeds { feed.committed(commit) }
        }
        live.committed(BatchChanges(batch, entityCount: entityCount))
        lastNotified.store(batch.number, ordering: .releasing)
    }

    private func endAll() {
        let feeds = state.withLock { state in
            defer {
                state.feeds = [:]
                state.incompleteFeeds = [:]
                updateInterest(&state)
            }
            return state.feeds.values.flatMap(\.values)
        }
        for feed in feeds { feed.end() }
        live.end()
    }

    /// Calls `didCommit` of the entities that have one, on a queue.
    private func deliver(_ records: [ChangeRecord]) {
        guard !ownInterest.isEmpty else { return }
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
        let feeds = EntityMask(state.feeds.keys.map { EntityMask(entity: $0) })
        let all = ownInterest.union(feeds).union(state.live)
        // Records without an observer would be kept for ever.
        if all.isEmpty { state.merged = [] }
        interestBits.store(all.rawValue, ordering: .releasing)
        rowInterestBits.store(
            ownInterest.union(feeds).union(state.liveRows).rawValue, ordering: .releasing)
    }
}

extension ChangeRecord {
    fileprivate func notify<E: CommitObserving>(
        _ entity: E.Type, at position: Int, in store: String
    ) {
        if let changes = changes(of: E.self, at: position, in: store) { E.didCommit(changes) }
    }
}
