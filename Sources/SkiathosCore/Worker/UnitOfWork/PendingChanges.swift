public import SkiathosStore

/// The pending changes of one entity, as steps for the store.
///
/// Code outside this package sees it only as a result of ``Entity``'s row loops.
public struct PendingChanges {
    /// Objects of which the same columns have changed.
    @usableFromInline
    struct Update {
        @usableFromInline let columns: ColumnSet
        @usableFromInline let rows: any ObjectSource

        @inlinable
        init(columns: ColumnSet, rows: any ObjectSource) {
            self.columns = columns
            self.rows = rows
        }
    }

    @usableFromInline var deletion: StoreChange?
    @usableFromInline var updates: [Update] = []
    /// The references of objects that were moved before deletions and again afterwards, in the
    /// order of the moves.
    @usableFromInline var moves: [Update] = []
    @usableFromInline var insertion: StoreChange?
    /// The rows that are changed or deleted.
    @usableFromInline var invalidated: (any InvalidatedRows)?
    /// All rows that are inserted, changed or deleted; `nil` unless the write returns before its
    /// commit.
    @usableFromInline var merged: (any FlushedRows)?

    @inlinable init() {}
}

@available(*, unavailable)
extension PendingChanges: Sendable {}

extension _EntityRows where Self: Entity {
    /// Sorts the pending objects by the step that they need.
    @inlinable
    public static func pendingChanges(of unit: UnitOfWork<Self>) throws -> PendingChanges {
        var groups = StepGroups(of: unit.pending)
        var invalidated: [RawID] = []
        try unit.withMap { map in
            for (index, object) in unit.pending.enumerated() {
                let key = object.current.id.rawValue
                var change = object.pendingChange
                if change.kind == .insert {
                    // It was put into the map under the ID that it was created with.
                    guard map.holds(object, under: key) else {
                        throw UnitOfWork<Self>.idWasChanged()
                    }
                    groups.add(index, change)
                    continue
                }
                if let baseline = object.baseline {
                    guard key.identity == baseline.pointee.id.rawValue.identity else {
                        throw UnitOfWork<Self>.idWasChanged()
                    }
                    if !object.state.contains(.deleted),
                        let moved = unit.movedColumns[ObjectIdentifier(object)]
                    {
                        change = PendingChange(updating: change.columns.union(moved))
                    }
                }
                if change.kind == .none { continue }
                groups.add(index, change)
                if invalidated.isEmpty { invalidated.reserveCapacity(unit.pending.count) }
                invalidated.append(key)
            }
        }
        let steps = groups.sortedGroups()
        var changes = PendingChanges()
        for step in steps {
            switch step.change.kind {
            case .none: break
            case .insert:
                let columns = ColumnSet(first: schema.columns.count)
                changes.insertion = .insert(
                    entity: unit.entity, step.rows(columns, isInsertion: true))
            case .update:
                let columns = step.change.columns
                changes.updates.append(
                    PendingChanges.Update(columns: columns, rows: step.rows(columns)))
            case .delete:
                changes.deletion = .delete(entity: unit.entity, step.rows([]))
            }
        }
        changes.moves = unit.moves
        if !invalidated.isEmpty {
            changes.invalidated = InvalidatedIDs<Self>(entity: unit.entity, keys: invalidated)
        }
        if unit.context.recordsMergedRows { changes.merged = mergedRows(of: unit, steps) }
        recordIfObserved(unit)
        return changes
    }

    /// Records what the flush that is being prepared does to the rows of the pending objects, if an
    /// observer needs it.
    @inlinable @inline(__always)
    static func recordIfObserved(_ unit: UnitOfWork<Self>) {
        guard unit.context.flushRecord.entities.contains(entity: unit.entity) else { return }
        let changes = objectChanges(of: unit)
        if changes.count > 0 { unit.context.flushRecord.rows.append(changes) }
    }

    /// What a flush does to the rows of the pending objects.
    @inlinable @inline(never)
    static func objectChanges(of unit: UnitOfWork<Self>) -> ObjectChanges<Self> {
        var changes = ObjectChanges<Self>(entity: unit.entity, upTo: unit.pending.count)
        for object in unit.pending {
            let change = object.pendingChange
            switch change.kind {
            case .none: break
            case .insert: changes.insert(object.current)
            case .update:
                // Where columns differ there is a value that they differ from.
                if let applied = object.applied {
                    changes.update(change.columns, from: applied, to: object.current)
                }
            case .delete: changes.delete(object.applied ?? object.current)
            }
        }
        return changes
    }

    /// The rows of a flush, for the report if their commit fails after the write has returned.
    @inlinable @inline(never)
    static func mergedRows(
        of unit: UnitOfWork<Self>, _ steps: [StepGroups<Self>.Group]
    ) -> (any FlushedRows)? {
        let count = steps.reduce(0) { $0 + $1.objects.count }
        guard count > 0 else { return nil }
        var room = LostChanges.limit
        var (deleted, updated, inserted): ([RawID], [RawID], [RawID]) = ([], [], [])
        for step in steps {
            let kept = step.objects.prefix(room)
            room -= kept.count
            let keys = kept.map { $0.current.id.rawValue }
            switch step.change.kind {
            case .none: break
            case .delete: deleted += keys
            case .update: updated += keys
            case .insert: inserted += keys
            }
        }
        return FlushedIDs<Self>(
            entity: unit.entity, count: count, deleted: deleted, updated: updated,
            inserted: inserted)
    }

    /// Records that all pending changes lie in the open transaction.
    @inlinable
    public static func didFlush(_ unit: UnitOfWork<Self>) {
        for object in unit.pending {
            object.state.remove(.pending)
            if object.state.contains(.deleted) {
                object.state.remove(.stored)
            } else {
                object.state.insert(.stored)
                object.didApply()
            }
        }
        unit.pending.removeAll(keepingCapacity: true)
        unit.pendingCount = 0
    }

    /// Inserts the pending objects, if all of them are new; returns whether it did.
    @inlinable
    public static func insertPending(
        of unit: UnitOfWork<Self>, in session: any StoreWriteSession
    ) throws -> Bool {
        guard let rows = try newRows(of: unit) else { return false }
        try session.insert(
            rows, count: rows.objects.count, into: unit.entity, onFailure: .callerRollsBack)
        if unit.context.recordsMergedRows { recordInsertions(rows.objects, of: unit) }
        recordIfObserved(unit)
        return true
    }

    /// Inserts the only pending object, if it is new, so that no savepoint is needed.
    @inlinable
    public static func insertAlone(
        of unit: UnitOfWork<Self>, in session: any StoreWriteSession
    ) throws -> LoneInsertion {
        let rows: ObjectRows<Self>?
        do { rows = try newRows(of: unit) } catch { return .refused(error) }
        guard let rows else { return .notOffered }
        let insertion = try session.insertAlone(rows, into: unit.entity)
        if case .inserted = insertion {
            if unit.context.recordsMergedRows { recordInsertions(rows.objects, of: unit) }
            recordIfObserved(unit)
        }
        return insertion
    }

    /// The pending objects as rows to insert; `nil` unless all of them are new.
    @inlinable
    static func newRows(of unit: UnitOfWork<Self>) throws -> ObjectRows<Self>? {
        let objects = unit.pending
        for object in objects where !object.state.isDisjoint(with: [.stored, .deleted]) {
            return nil
        }
        let areHeld = unit.withMap { map in
            objects.allSatisfy { map.holds($0, under: $0.current.id.rawValue) }
        }
        // Each was put into the map under the ID that it was created with.
        guard areHeld else { throw UnitOfWork<Self>.idWasChanged() }
        return ObjectRows(
            objects: objects, columns: ColumnSet(first: schema.columns.count), isInsertion: true)
    }

    /// Records the rows of a flush that only inserts, for the report if their commit fails after
    /// the write has returned.
    @inlinable @inline(never)
    static func recordInsertions(_ objects: [Managed<Self>], of unit: UnitOfWork<Self>) {
        if objects.count == 1 {
            unit.context.addMerged(
                InsertedID<Self>(entity: unit.entity, key: objects[0].current.id.rawValue))
        } else {
            let step = StepGroups<Self>.Group(change: PendingChange(.insert), objects: objects)
            if let rows = mergedRows(of: unit, [step]) { unit.context.addMerged(rows) }
        }
    }

    /// Releases all objects, and keeps the memory of few for the next write.
    @inlinable
    public static func end(_ unit: UnitOfWork<Self>) {
        if unit.pending.capacity > 2 * IdentityMap<Self>.fewLimit { unit.pending = [] }
        while unit.pending.popLast() != nil {}
        unit.pendingCount = 0
        unit.map.removeAll()
    }
}
