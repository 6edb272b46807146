import SkiathosStore

/// An untyped unit of work, as the write context has one for each entity.
protocol AnyUnitOfWork: AnyObject {
    var pendingCount: Int { get }
    /// The position of the entity.
    var entity: Int { get }
    /// Makes the unit of an earlier write usable for another one.
    func begin(_ context: WriteContext)
    /// The number of the last deletion that may have changed its objects.
    var moment: UInt32 { get set }
    /// Sorts the pending objects by the step that they need.
    func pendingChanges() throws -> PendingChanges
    /// Inserts the pending objects, if all of them are new; returns whether it did.
    ///
    /// After a failure the caller rolls back.
    func insertPending(in session: any StoreWriteSession) throws -> Bool
    /// Inserts the only pending object, if it is new, so that no savepoint is needed.
    ///
    /// Throws only what the session throws.
    func insertAlone(in session: any StoreWriteSession) throws -> LoneInsertion
    /// Called when all pending changes lie in the open transaction.
    func didFlush()
    /// Removes all objects from the list of the next flush, when a nested scope is rolled
    /// back.
    func forgetPending()
    /// Whether it holds so many objects that finding out which rows a change meets takes less than
    /// reading the rows of all of them again.
    var holdsMany: Bool { get }
    /// Refreshes held objects from the open transaction: those whose rows have these IDs, or all.
    func refresh(_ ids: Set<StoreValue>?, in session: any StoreSession) throws
    /// Applies the rules of pending deletions to all pending objects.
    func applyDeletions() throws
    /// Adds the pending objects, by the rows that they refer to.
    func addReferrers(to referrers: inout PendingReferrers) throws
    /// Whether it has pending objects that are not deleted.
    var hasLivingPending: Bool { get }
    /// Whether the object with an ID has changes that are not in the open transaction.
    func hasPending(_ id: StoreValue) throws -> Bool
    /// Runs the hooks that are due, and returns whether there were any.
    func runHooks() throws -> Bool
    /// Clears the record of which hooks have run.
    func forgetHooks()
    /// Validates the pending objects.
    func validatePending(into failures: inout ValidationFailures)
    /// Releases all objects.
    func end()
    /// Frees memory after the end of a write, if no other code has kept an object.
    func shrink()

    /// Records the changes that were pending, and are in the open transaction by now, row by row.
    func capturePending(in rows: inout ChangeCapture) throws
    /// The IDs of the objects that the next flush deletes.
    func pendingDeletions() throws -> [StoreValue]
    /// Tracks the rows in which a column has any of some values, and returns their IDs.
    func hold(
        where column: Int, isAmong values: [StoreValue], in session: any StoreSession
    ) throws -> [StoreValue]
    /// The rows with these IDs.
    func rows(_ ids: [StoreValue]) throws -> [RowKey: [StoreValue]]
    /// Creates the object of a row.
    func insertRow(_ values: [StoreValue]) throws
    /// Sets the columns of an object, if it exists.
    func setRow(_ values: [StoreValue]) throws
    /// Deletes an object, if it exists.
    func deleteRow(_ id: StoreValue) throws
}

extension UnitOfWork: AnyUnitOfWork {
    func pendingChanges() throws -> PendingChanges { try E.pendingChanges(of: self) }

    func insertPending(in session: any StoreWriteSession) throws -> Bool {
        try E.insertPending(of: self, in: session)
    }

    func insertAlone(in session: any StoreWriteSession) throws -> LoneInsertion {
        try E.insertAlone(of: self, in: session)
    }

    @usableFromInline @inline(never)
    static func idWasChanged() -> DataAccessError {
        DataAccessError(
            .invalidID,
            "The ID of a \(E.schema.typeName) was changed. IDs are final; delete the object and create another."
        )
    }

    func didFlush() {
        E.didFlush(self)
        forgetMoves()
    }

    func forgetPending() {
        for object in pending { object.state.remove(.pending) }
        pending.removeAll(keepingCapacity: true)
        pendingCount = 0
        forgetMoves()
    }

    var holdsMany: Bool { map.many != nil }

    func refresh(_ ids: Set<StoreValue>?, in session: any StoreSession) throws {
        guard let ids else { return try refresh(map.objects, in: session) }
        let held = ids.compactMap { id in
            // An ID that is of another type belongs to no object.
            let key = try? ValueRow([id]).read { try E.RawID(row: $0, column: 0) }
            return key.flatMap { map[$0] }
        }
        try refresh(held, in: session)
    }

    /// Refreshes objects from the open transaction.
    ///
    /// - Parameter isUndo: Whether a nested scope was rolled back, so that a missing row was
    ///   created by that scope.
    func refresh(
        _ objects: [Managed<E>], in session: any StoreSession, isUndo: Bool = false
    ) throws {
        let held = objects.filter { $0.state.contains(.stored) && !$0.state.contains(.deleted) }
        guard !held.isEmpty else { return }
        var unseen: [E.ID: Managed<E>] = [:]
        for object in held { unseen[object.current.id] = object }
        let ids = try held.map { try StoreValue($0.current.id, Coding.of(E.ID.self)) }
        try session.fetch(entity: entity, ids: ids) { cursor in
            while cursor.next() {
                let value = try E(row: cursor.row)
                guard let object = unseen.removeValue(forKey: value.id) else { continue }
                try self.refresh(object, to: value)
            }
        }
        for object in unseen.values {
            context.scopes.last?.remember(object)
            try capture(object.current, nil)
            object.state = object.state.subtracting(.stored).union(.deleted)
            if isUndo { object.state.insert(.created) }
        }
    }

    private func refresh(_ object: Managed<E>, to value: E) throws {
        guard !value.changedColumns(from: object.current).isEmpty else { return }
        context.scopes.last?.remember(object)
        try capture(object.current, value)
        object.current = value
        object.applied = value
    }

    private func forgetMoves() {
        if !moves.isEmpty { moves = [] }
        if !movedColumns.isEmpty { movedColumns = [:] }
    }

    func forgetHooks() { hookMarks = nil }

    func begin(_ context: WriteContext) {
        owner = context
        moment = context.deletions.moment
    }

    func end() {
        E.end(self)
        forgetMoves()
        moment = Self.ended
        owner = nil
    }

    func shrink() { baselines.shrink() }
}
