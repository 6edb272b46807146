import SkiathosStore

/// The steps that bring the pending changes of all entities to the store, in an order in which
/// no step meets a constraint that the write as a whole respects.
///
/// 1. References that change, where something is deleted too: a row that moves away from a
///    deleted target must not be deleted or nullified with it.
/// 2. Deletions, referring entities first: they free unique values.
/// 3. The other updates.
/// 4. Insertions, targets of references first.
///
/// Foreign keys are checked when the write ends, so none of this is needed for them.
struct FlushPlan {
    var steps: [StoreChange] = []
    /// Entities whose objects may have been changed by the rules of deletions.
    var touchedByDeletion: Set<Int> = []
    /// New limits of integer IDs, by entity.
    var reservations: [(entity: Int, limit: Int64)] = []

    init(units: [(any AnyUnitOfWork)?], schema: StoreSchema, sequences: [IDSequence]) throws {
        let pending = try units.map { try $0?.pendingChanges() }
        let deletions = pending.indices.filter { pending[$0]?.deletion != nil }
        if !deletions.isEmpty {
            appendReferenceUpdates(pending, schema)
            for entity in deletions.reversed() {
                if let deletion = pending[entity]?.deletion { steps.append(deletion) }
                let affected = schema.affectedByDeletion(in: entity)
                // The deleted objects themselves need no refreshing unless rows refer to rows
                // of their own entity.
                let refersToItself = schema.entities[entity].columns.compactMap(\.reference)
                    .contains { schema.target(of: $0) == entity }
                touchedByDeletion.formUnion(
                    refersToItself ? affected : affected.subtracting([entity]))
            }
        }
        for (entity, changes) in pending.enumerated() {
            for (columns, rows) in changes?.updates ?? [] {
                steps.append(.update(entity: entity, columns: columns, rows))
            }
        }
        for (entity, changes) in pending.enumerated() {
            guard let insertion = changes?.insertion else { continue }
            steps.append(insertion)
            if let limit = sequences[entity].limitToReserve {
                steps.append(.reserveIDs(entity: entity, upTo: limit))
                reservations.append((entity, limit))
            }
        }
    }

    private mutating func appendReferenceUpdates(
        _ pending: [PendingChanges?], _ schema: StoreSchema
    ) {
        for (entity, changes) in pending.enumerated() {
            let references = ColumnSet(schema.entities[entity].referenceColumns)
            for (columns, rows) in changes?.updates ?? [] {
                let moved = columns.intersection(references)
                guard !moved.isEmpty else { continue }
                steps.append(.update(entity: entity, columns: moved, rows.limited(to: moved)))
            }
        }
    }
}
