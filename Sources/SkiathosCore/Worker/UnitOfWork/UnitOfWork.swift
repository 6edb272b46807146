public import SkiathosStore

/// The objects of one entity in one write: which are tracked, and which have changed.
///
/// Code outside this package sees it only as a parameter of ``Entity``'s row loops.
public final class UnitOfWork<E: Entity> {
    // All guarded by the write: its closure runs on one thread at a time, and neither this type
    // nor any that leads to it is Sendable.
    // Fields whose exclusive access is not checked at run time are only read and changed as a
    // whole, by code that calls nothing meanwhile which could lead back to them.
    /// How many objects are pending, for code that does not know their type: counting them
    /// there takes hundreds of instructions.
    @exclusivity(unchecked) @usableFromInline var pendingCount = 0
    /// The tracked objects.
    ///
    /// Its long accesses are the loops of `withMap`: what these call besides, the decoding of an
    /// entity, knows no unit of work.
    @exclusivity(unchecked) @usableFromInline var map = IdentityMap<E>()
    /// Objects that are new, changed or deleted since the last flush, each once.
    @exclusivity(unchecked) @usableFromInline var pending: [Managed<E>] = []
    /// The position of the entity in the store's schema.
    @usableFromInline let entity: Int
    /// The context of the write; `nil` between two writes.
    @exclusivity(unchecked) @usableFromInline var owner: WriteContext?
    /// Whether other rows may refer to its rows.
    @usableFromInline let isReferredTo: Bool
    /// The number of the last deletion that may have changed its objects; ``ended`` after the
    /// write.
    ///
    /// An object that was set at this moment needs no further check before it is set again.
    @exclusivity(unchecked) @usableFromInline var moment: UInt32
    /// The references of objects that were moved before deletions and again afterwards, in the
    /// order of the moves.
    @exclusivity(unchecked) @usableFromInline var moves: [PendingChanges.Update] = []
    /// The references of each object that ``moves`` change.
    ///
    /// The flush stores them again, also where the objects returned to their first targets.
    @exclusivity(unchecked) @usableFromInline
    var movedColumns: [ObjectIdentifier: ColumnSet] = [:]
    /// The memory of the baselines of its objects.
    @exclusivity(unchecked) @usableFromInline var baselines: SlotMemory
    /// Changes of properties that are going on around the innermost one of their object.
    @exclusivity(unchecked) @usableFromInline
    var outerChanges: [(object: ObjectIdentifier, property: Unmanaged<AnyObject>)] = []
    /// The hooks that have run in the flush that is being prepared.
    @usableFromInline var hookMarks: [ObjectIdentifier: HookMark<E>]?

    @inlinable
    init(entity: Int, context: WriteContext) {
        self.entity = entity
        owner = context
        isReferredTo = context.isReferredTo(entity)
        moment = context.deletions.moment
        baselines = SlotMemory(
            size: Managed<E>.slotSize, alignment: MemoryLayout<E>.alignment)
    }

    // Each object with a baseline has a reference to the unit.
    deinit { baselines.deallocateAll() }

    /// The context of the write, which must not have ended.
    @inlinable var context: WriteContext {
        guard let owner else { Self.trapEnded() }
        return owner
    }

    /// The moment that never passes.
    @inlinable static var ended: UInt32 { .max }

    /// Traps after the write has ended; called by each use of an object.
    @inlinable @inline(__always)
    func requireOpen() {
        if moment == Self.ended { Self.trapEnded() }
    }

    // Not preconditions, which print no message in an optimised build.
    @usableFromInline @inline(never)
    static func trapEnded() -> Never {
        fatalError(
            "A \(E.schema.typeName) was used after its write had ended. Objects are valid only inside the closure of their write; hand out the ID or the value, and fetch the object in a new write."
        )
    }

    @usableFromInline @inline(never)
    static func trapDeleted() -> Never {
        fatalError(
            "A \(E.schema.typeName) that was deleted in this write was changed. Look at isDeleted before, or create a new one."
        )
    }

    /// Lends the map to a loop over many objects.
    ///
    /// Each access to a field of a class is registered with the runtime; this is one access
    /// for all objects.
    @inlinable
    func withMap<R>(_ body: (inout IdentityMap<E>) throws -> R) rethrows -> R { try body(&map) }

    /// Called before an object changes for the first time since the last flush, or since a deletion
    /// that may have changed it.
    @inlinable
    func willChange(_ object: Managed<E>) {
        requireOpen()
        if context.hasDeletions, object.stamp != moment { settle(object) }
        if object.state.contains(.deleted) { Self.trapDeleted() }
        beginChange(object)
        object.stamp = moment
    }

    /// Applies what deletions have done to an object before it is set again.
    @usableFromInline
    func settle(_ object: Managed<E>) {
        context.deferFailure {
            // The target of the object may be deleted with another row, which only the store
            // knows. At the flush the object will have been set later than that.
            if object.state.contains(.pending), !context.references(of: entity).isEmpty {
                try context.findConsequences()
            }
            try applyDeletions(to: object)
        }
        keepMove(of: object)
    }

    /// The tracked object whose row has an ID; `nil` if the write tracks none, or one that was
    /// deleted before it had a row.
    @inlinable
    func held(under key: E.RawID) throws -> Managed<E>? {
        guard let held = map[key] else { return nil }
        return held.isDue ? held : try heldAfterFlush(under: key)
    }

    /// The tracked object after a flush, where the store may still hold a row whose deletion
    /// is pending: another object had its ID after it.
    @usableFromInline @inline(never)
    func heldAfterFlush(under key: E.RawID) throws -> Managed<E>? {
        if pendingCount > 0 { try context.flush() }
        guard let held = map[key], held.isDue else { return nil }
        return held
    }

    /// Saves the state of an object before a change, and adds it to the list of the next
    /// flush.
    @inlinable
    func beginChange(_ object: Managed<E>) {
        if context.isNested { remember(object) }
        object.keepBaseline()
        enlist(object)
    }

    @usableFromInline
    func remember(_ object: Managed<E>) { context.scopes.last?.remember(object) }

    /// Records objects whose rows were read while a nested scope is open.
    @usableFromInline
    func rememberFetched(_ objects: ArraySlice<Managed<E>>) {
        context.scopes.last?.rememberFetched(objects, of: self)
    }

    @inlinable
    func enlist(_ object: Managed<E>) {
        guard !object.state.contains(.pending) else { return }
        object.state.insert(.pending)
        pending.append(object)
        pendingCount += 1
    }

    /// Adds a new object, which the next flush inserts.
    @inlinable
    func add(_ value: consuming E) throws -> Managed<E> {
        let key = value.id.rawValue
        let object = Managed(value, of: self, state: [.pending, .created], stamp: moment)
        if !map.insert(object, under: key) { try insertSettled(object) }
        pending.append(object)
        pendingCount += 1
        if context.isNested { rememberCreation(of: object) }
        return object
    }

    /// Inserts a new object whose ID another one has, which may have been deleted with another
    /// row.
    @usableFromInline @inline(never)
    func insertSettled(_ object: Managed<E>) throws {
        try context.settleDeletions(affecting: entity)
        object.stamp = moment
        guard map.insert(object, under: object.current.id.rawValue) else {
            throw Self.idIsTaken()
        }
    }

    @usableFromInline
    func rememberCreation(of object: Managed<E>) {
        context.scopes.last?.rememberCreation(of: object)
    }

    /// Called when an object was fetched whose ID a deleted one had.
    ///
    /// If a nested scope is rolled back, the deleted one may be restored, and this one is
    /// removed.
    @usableFromInline @inline(never)
    func tookPlace(_ object: Managed<E>) {
        if context.isNested { rememberCreation(of: object) }
    }

    @usableFromInline @inline(never)
    static func idIsTaken() -> StoreError {
        StoreError(
            .uniqueViolation,
            "A \(E.schema.typeName) with this ID is there already. Use upsert, or leave the ID unassigned.",
            entity: E.schema.table, columns: ["id"])
    }

    @inlinable
    func delete(_ object: Managed<E>) {
        // It may have been deleted with another row already.
        if context.hasDeletions, object.stamp != moment { settle(object) }
        guard !object.state.contains(.deleted) else { return }
        if context.isNested { remember(object) }
        object.state.insert(.deleted)
        enlist(object)
        if isReferredTo { recordDeletion(of: object) }
    }

    /// Replaces every column but the ID.
    func replace(_ object: Managed<E>, with value: E) {
        willChange(object)
        let id = object.current.id
        object.current = value
        object.current.id = id
    }

    /// Discards what the write did to an object: a fetched one gets its first value back, a
    /// created one is deleted.
    ///
    /// The consequences of a deletion for other rows stay, so a pending one is flushed first.
    func discardChanges(of object: Managed<E>) throws {
        let isAffected = context.deletions.affected.contains(entity)
        if context.hasDeletions, isAffected || (isReferredTo && object.state.contains(.deleted)) {
            try context.flush()
        }
        if object.state.contains(.created) {
            delete(object)
        } else if object.state.contains(.deleted) {
            try restore(object)
        } else if let baseline = object.baseline {
            context.scopes.last?.remember(object)
            object.current = baseline.pointee
            object.stamp = moment
            enlist(object)
        }
    }

    /// Restores a deleted object, unless another one has its ID by now.
    ///
    /// If the deletion was flushed already, the row is no longer stored and the next flush
    /// inserts it again.
    private func restore(_ object: Managed<E>) throws {
        let original = object.baseline?.pointee ?? object.current
        if let other = map[original.id.rawValue], other !== object,
            !other.state.contains(.deleted)
        {
            throw Self.idIsTaken()
        }
        context.scopes.last?.remember(object)
        object.state.remove(.deleted)
        object.current = original
        map.register(object, under: original.id.rawValue)
        enlist(object)
        // Its next change is its first, which needs a baseline.
        object.stamp = 0
    }
}

@available(*, unavailable)
extension UnitOfWork: Sendable {}
