import SkiathosStore

/// The steps that flush the pending changes of all entities.
///
/// They are in an order in which no step violates a constraint that the write as a whole
/// respects.
///
/// 1. References that change, where something is deleted too: a row that moves away from a
///    deleted target must not be deleted or nullified with it. References to a deleted row are
///    left out: the rules were applied to objects that referred to the row when it was
///    deleted, so these were set afterwards.
/// 2. Deletions, referring entities first: they free unique values.
/// 3. The other updates.
/// 4. Insertions, targets of references first.
///
/// Foreign keys are checked when the write ends, so none of this is needed for them.
struct FlushPlan {
    /// The pending changes of one entity.
    private struct Part {
        let entity: Int
        let changes: PendingChanges
    }

    /// A new limit of integer IDs.
    struct Reservation {
        let entity: Int
        let limit: Int64
    }

    var steps: [StoreChange] = []
    /// Entities whose objects may have been changed by the rules of deletions.
    var touchedByDeletion: Set<Int> = []
    var reservations: [Reservation] = []
    /// The rows that are changed or deleted.
    var invalidation = CacheInvalidation()
    /// The rows of each entity, if the write returns before its commit.
    var merged: [any FlushedRows] = []

    init(
        units: [(any AnyUnitOfWork)?], schema: StoreSchema, rules: DeleteRules,
        sequences: [IDSequence], deletions: PendingDeletions
    ) throws {
        // In the order of the schema.
        var parts: [Part] = []
        let last = units.lastIndex { ($0?.pendingCount ?? 0) > 0 }
        guard let last, let unit = units[last] else { return }
        if units[..<last].contains(where: { ($0?.pendingCount ?? 0) > 0 }) {
            for entity in units.indices {
                guard let unit = units[entity], unit.pendingCount > 0 else { continue }
                parts.append(Part(entity: entity, changes: try take(unit)))
            }
        } else {
            // Mostly one entity has changes, and copying them takes as long as sorting them.
            let changes = try take(unit)
            if changes.deletion == nil {
                appendUpdates(changes, of: last)
                appendInsertion(changes, of: last, sequences)
                return
            }
            parts.append(Part(entity: last, changes: changes))
        }
        if parts.contains(where: { $0.changes.deletion != nil }) {
            try appendDeletions(parts, schema, rules, deletions)
        }
        for part in parts { appendUpdates(part.changes, of: part.entity) }
        for part in parts { appendInsertion(part.changes, of: part.entity, sequences) }
    }

    /// Takes the pending changes of an entity, once for each flush: observers are told of what it prepares.
    private mutating func take(_ unit: any AnyUnitOfWork) throws -> PendingChanges {
        let changes = try unit.pendingChanges()
        if let invalidated = changes.invalidated { invalidation.add(invalidated) }
        if let rows = changes.merged { merged.append(rows) }
        return changes
    }

    private mutating func appendUpdates(_ changes: PendingChanges, of entity: Int) {
        for update in changes.updates {
            steps.append(.update(entity: entity, columns: update.columns, update.rows))
        }
    }

    private mutating func appendInsertion(
        _ changes: PendingChanges, of entity: Int, _ sequences: [IDSequence]
    ) {
        guard let insertion = changes.insertion else { return }
        steps.append(insertion)
        if let limit = sequences[entity].limitToReserve {
            steps.append(.reserveIDs(entity: entity, upTo: limit))
            reservations.append(Reservation(entity: entity, limit: limit))
        }
    }

    private mutating func appendDeletions(
        _ parts: [Part], _ schema: StoreSchema, _ rules: DeleteRules,
        _ deletions: PendingDeletions
    ) throws {
        var hasMovedReferences = false
        for part in parts.reversed() {
            guard let deletion = part.changes.deletion else { continue }
            if !hasMovedReferences {
                try appendReferenceUpdates(parts, schema, deletions)
                hasMovedReferences = true
            }
            steps.append(deletion)
            touchedByDeletion.formUnion(rules.affected[part.entity])
        }
    }

    private mutating func appendReferenceUpdates(
        _ parts: [Part], _ schema: StoreSchema, _ deletions: PendingDeletions
    ) throws {
        for part in parts {
            let columns = schema.entities[part.entity].columns
            let references = ColumnSet(schema.entities[part.entity].referenceColumns)
            for update in part.changes.moves + part.changes.updates {
                let moved = update.columns.intersection(references)
                guard !moved.isEmpty else { continue }
                let kept = try update.rows.limited(to: moved) { column, value in
                    guard let target = columns[column].reference.flatMap(schema.target) else {
                        return true
                    }
                    return !deletions.contains(RowKey(entity: target, id: value))
                }
                for (columns, rows) in kept {
                    steps.append(.update(entity: part.entity, columns: columns, rows))
                }
            }
        }
    }
}
