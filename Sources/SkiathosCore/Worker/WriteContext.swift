public import SkiathosStore

/// The worker context of one write: its unit of work, its identity map and its transaction.
///
/// Valid only inside the closure of the `write` that made it, and never in another task: the
/// compiler does not let it escape.
public final class WriteContext {
    /// The entities of the store.
    public let schema: StoreSchema

    // All guarded by the write: its closure runs on one thread at a time, and the type is not
    // Sendable.
    // Fields whose exclusive access is not checked at run time are only read and set as a
    // whole.
    @exclusivity(unchecked) @usableFromInline var scopes = NestedScopes()
    @usableFromInline let registry: UnitRegistry
    var preparation = Preparation()
    /// The changes that lie in the open transaction.
    @exclusivity(unchecked) var journal: WriteJournal
    @exclusivity(unchecked) @usableFromInline var deletions = PendingDeletions()
    /// The load groups, once a relationship or several rows were fetched.
    @exclusivity(unchecked) private(set) var loadGroups: LoadGroups?
    /// The connection, the transaction and the IDs of this write.
    @usableFromInline let transaction: WriteTransaction
    /// Whether the write returns before its commit, so that its rows are reported if they are lost.
    @exclusivity(unchecked) @usableFromInline private(set) var recordsMergedRows = false
    /// What the flush that is being prepared records for observers.
    @exclusivity(unchecked) @usableFromInline var flushRecord = FlushRecord()

    /// Makes a context that is used for one write at a time.
    init(_ transaction: WriteTransaction) {
        self.transaction = transaction
        journal = WriteJournal(recordsMergedRows: false)
        schema = transaction.schema
        registry = UnitRegistry(entityCount: schema.entities.count)
    }

    /// Makes the context usable until ``end()``.
    func begin(_ interruption: Interruption?, recordsMergedRows: Bool) {
        self.recordsMergedRows = recordsMergedRows
        journal.reset(recordsMergedRows: recordsMergedRows)
        deletions.begin()
        transaction.begin(interruption)
    }

    /// Releases all objects; every further use of the context is an error.
    func end() {
        transaction.end()
        registry.end()
        // Rows are left by a flush that has failed.
        if !flushRecord.rows.isEmpty { flushRecord = FlushRecord() }
        if isNested { scopes = NestedScopes() }
        guard let loadGroups else { return }
        loadGroups.removeAll()
        self.loadGroups = nil
    }
}

@available(*, unavailable, message: "a context stays in the closure that it was given to.")
extension WriteContext: Sendable {}

extension WriteContext: QueryContext {
    /// Runs a closure with the connection of this write, after flushing its pending changes to
    /// the open transaction.
    ///
    /// - Throws: also what flushing throws, such as a violated constraint. The changes stay
    ///   pending then.
    public func query<R>(_ body: (any StoreSession) throws -> R) throws -> R {
        try flush()
        return try transaction.query(body)
    }
}

extension WriteContext {
    /// Whether the closure of the write is running.
    var isOpen: Bool { transaction.isOpen }

    /// Whether a nested scope is open.
    @inlinable var isNested: Bool { scopes.isOpen }

    /// Whether deletions of rows that others may refer to are pending.
    @inlinable var hasDeletions: Bool { deletions.isAny }

    /// The load groups of this write, for loading relationships.
    var batches: LoadGroups {
        if let loadGroups { return loadGroups }
        let groups = LoadGroups()
        loadGroups = groups
        return groups
    }

    /// The traits of the entities, by position.
    var traits: [EntityTraits] { transaction.traits }

    /// The units of work, by the position of the entity; `nil` where the write has not used it.
    var units: [(any AnyUnitOfWork)?] { registry.units }

    /// Counts the queries; `nil` without a budget.
    package var meter: BudgetMeter? {
        get { transaction.meter }
        set { transaction.meter = newValue }
    }

    /// The unit of work of an entity.
    @inlinable
    func unit<E: Entity>(of entity: E.Type) throws -> UnitOfWork<E> {
        if let unit = registry.last(of: E.self) { return unit }
        let position = try position(of: E.self)
        if let known = try unit(at: position, ObjectIdentifier(E.self)) {
            return unsafeDowncast(known, to: UnitOfWork<E>.self)
        }
        let unit = UnitOfWork<E>(entity: position, context: self)
        add(unit)
        return unit
    }

    @usableFromInline
    func add<E: Entity>(_ unit: UnitOfWork<E>) {
        registry.add(unit, at: unit.entity, ObjectIdentifier(E.self), in: self)
    }

    /// The unit of work of an entity in this write, or one of an earlier write, for this one.
    @usableFromInline
    func unit(at position: Int, _ entity: ObjectIdentifier) throws -> AnyObject? {
        guard isOpen else { throw DataAccessError.contextEnded("write") }
        return registry.unit(at: position, entity, in: self)
    }

    /// Adds the rows that are reported if the write is lost after it has returned.
    @usableFromInline
    func addMerged(_ rows: any FlushedRows) { journal.addMerged(rows) }

    /// Runs a query that cannot find pending changes, without flushing them.
    @usableFromInline
    func lookUp(_ body: (any StoreSession) throws -> Void) throws {
        try withSession { try body($0) }
    }

    /// Runs a closure with the connection, without flushing pending changes.
    func withSession<R>(_ body: (any StoreWriteSession) throws -> R) throws -> R {
        try transaction.withSession(body)
    }

    /// Runs a closure that changes rows of an entity directly, and refreshes the objects it may have
    /// touched; returns the number of the rows.
    func change(
        _ entity: Int, refreshing entities: Set<Int>,
        _ body: (any StoreWriteSession) throws -> Int
    ) throws -> Int {
        try requireNoHook(for: "A change of rows without objects")
        try flush()
        return try withSession { session in
            try transaction.beginExclusive(session)
            var count = 0
            var step = RecordedStep(changing: entities)
            let stale = try findingStaleRows(of: entities, in: session) {
                step = try recording(entities, for: transaction.interest, in: session) {
                    count = try body(session)
                }
            }
            loadGroups?.forgetValues()
            // A number of rows that is zero is the only proof that nothing was changed.
            if count != 0 { journal.add(step, known: (entity, count)) }
            try refresh(stale, in: session)
            return count
        }
    }

    /// Lends the connection as the backend's own library knows it, or `nil` if the backend has
    /// none.
    ///
    /// Refreshes all objects if the closure has changed anything.
    package func writeNatively(_ body: (AnyObject?) throws -> Void) throws {
        try requireNoHook(for: "SQL of one's own")
        try requireNoCapture(for: "SQL of one's own")
        try flush()
        let entities = Set(units.indices)
        var changes = NativeChanges(isChanged: false, highestIDs: [])
        let stale = try withSession { session in
            try transaction.beginExclusive(session)
            var step = RecordedStep(changing: entities)
            let stale = try findingStaleRows(of: entities, in: session) {
                step = try recording(entities, for: transaction.interest, in: session) {
                    changes = try lend(session, to: body)
                }
            }
            if changes.isChanged { journal.add(step) }
            return stale
        }
        do {
            // The closure may have set objects; refreshing would discard these changes.
            try flush(areObjectsStale: changes.isChanged)
        } catch {
            if changes.isChanged { journal.markUnknown(units.indices) }
            throw error
        }
        if changes.isChanged { try withSession { try adopt(changes, stale, in: $0) } }
    }

    /// Lends the connection to a closure, whose changes are rolled back if it fails.
    private func lend(
        _ session: any StoreWriteSession, to body: (AnyObject?) throws -> Void
    ) throws -> NativeChanges {
        try session.openSavepoint()
        do {
            let changes = try transaction.lending { try session.writeNatively(body) }
            try session.releaseSavepoint()
            return changes
        } catch {
            try session.rollbackSavepoint()
            throw error
        }
    }

    /// Updates everything in memory to what a closure with the connection has left in the
    /// store.
    private func adopt(
        _ changes: NativeChanges, _ stale: StaleRows, in session: any StoreWriteSession
    ) throws {
        for (entity, highest) in changes.highestIDs.enumerated() {
            transaction.ids[entity].advance(past: highest)
            guard let limit = transaction.ids[entity].limitToReserve else { continue }
            try session.apply([.reserveIDs(entity: entity, upTo: limit)])
            transaction.ids[entity].reserved = limit
        }
        loadGroups?.forgetValues()
        try refresh(stale, in: session)
    }
}
