public import SkiathosStore

/// The objects of one entity in one write: which are held, and which have changed.
///
/// Code outside this package meets it only as a parameter of ``Entity``'s row loops.
public final class UnitOfWork<E: Entity> {
    // All guarded by the write: its closure runs on one thread at a time, and neither this type
    // nor any that leads to it is Sendable.
    // The fields that are not watched by the runtime are only read and changed at once.
    /// How many objects are pending, for those who do not know their type: asking a list of them takes
    /// hundreds of instructions there.
    @exclusivity(unchecked) @usableFromInline var pendingCount = 0
    @usableFromInline var map = IdentityMap<E>()
    /// Objects that are new, changed or deleted since the last flush, each once.
    @exclusivity(unchecked) @usableFromInline var pending: [Managed<E>] = []
    /// The position of the entity in the store's schema.
    @usableFromInline let entity: Int
    @usableFromInline let context: WriteContext
    /// What hooks have been told in the flush that is being prepared.
    @usableFromInline var hookMarks: [ObjectIdentifier: HookMark<E>]?

    @inlinable
    init(entity: Int, context: WriteContext) {
        self.entity = entity
        self.context = context
    }

    /// Lends the map to a loop over many objects.
    ///
    /// Each access to a field of a class is registered with the runtime; here one is for all.
    @inlinable
    func withMap<R>(_ body: (inout IdentityMap<E>) throws -> R) rethrows -> R { try body(&map) }

    /// Called before an object changes for the first time since the last flush.
    @inlinable
    func willChange(_ object: Managed<E>) {
        precondition(
            context.isOpen,
            "A \(E.schema.typeName) was changed after its write had ended; fetch it in a new write."
        )
        precondition(
            !object.state.contains(.deleted),
            "A \(E.schema.typeName) that was deleted in this write was changed; create a new one instead."
        )
        beginChange(object)
    }

    /// Makes an object's change undoable and puts it on the list of the next flush.
    @inlinable
    func beginChange(_ object: Managed<E>) {
        if context.isNested { remember(object) }
        if object.baseline == nil { object.baseline = Managed.Baseline(object.current) }
        enlist(object)
    }

    @usableFromInline
    func remember(_ object: Managed<E>) { context.scopes.last?.remember(object) }

    @inlinable
    func enlist(_ object: Managed<E>) {
        guard !object.state.contains(.pending) else { return }
        object.state.insert(.pending)
        pending.append(object)
        pendingCount += 1
    }

    /// Takes a new object in, which the next flush inserts.
    @inlinable
    func add(_ value: E) throws -> Managed<E> {
        let object = Managed(value, of: self, state: [.pending, .created])
        guard map.insert(object, under: value.id.rawValue) else { throw Self.idIsTaken() }
        pending.append(object)
        pendingCount += 1
        if context.isNested { rememberCreation(of: object) }
        return object
    }

    @usableFromInline
    func rememberCreation(of object: Managed<E>) {
        context.scopes.last?.rememberCreation(of: object)
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
        guard !object.state.contains(.deleted) else { return }
        if context.isNested { remember(object) }
        object.state.insert(.deleted)
        enlist(object)
    }

    /// Replaces every column but the ID.
    func replace(_ object: Managed<E>, with value: E) {
        willChange(object)
        let id = object.current.id
        object.current = value
        object.current.id = id
    }

    /// Undoes what the write did to an object: a fetched one gets its first value back, a
    /// created one is gone.
    func discardChanges(of object: Managed<E>) {
        if object.state.contains(.created) {
            delete(object)
        } else if object.state.contains(.deleted) || object.baseline != nil {
            context.scopes.last?.remember(object)
            // If the deletion was flushed already, the row is no longer stored and the next
            // flush inserts it again.
            object.state.remove(.deleted)
            if let baseline = object.baseline { object.current = baseline.original }
            enlist(object)
        }
    }
}

@available(*, unavailable)
extension UnitOfWork: Sendable {}
