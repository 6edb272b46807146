import SkiathosStore

/// What one write has done, as far as somebody wanted to hear of it when it was done.
struct ChangeRecord: Sendable {
    /// The entities of which rows may have changed.
    var touched: EntityMask = []
    /// Those of which rows may have changed that are not in `rows`.
    var unknown: EntityMask = []
    /// The changed rows of the entities that somebody wants to hear of in detail, by position.
    var rows: [Int: any RecordedChanges] = [:]

    /// Any row of any entity may have changed.
    static var everything: ChangeRecord { ChangeRecord(touched: .all, unknown: .all) }

    mutating func addUnknown(_ entities: EntityMask) {
        touched.formUnion(entities)
        unknown.formUnion(entities)
    }

    /// What it has done to one entity, or `nil` if that is nothing.
    func changes<E: Entity>(of entity: E.Type, at position: Int) -> EntityChanges<E>? {
        let isComplete = !unknown.contains(entity: position)
        var changes = (rows[position] as? ChangeLog<E>)?.outcome ?? EntityChanges()
        guard changes.isAnything || !isComplete else { return nil }
        changes.isComplete = isComplete
        return changes
    }
}

extension EntityChanges {
    fileprivate var isAnything: Bool { !(inserted.isEmpty && updated.isEmpty && deleted.isEmpty) }
}

extension UnitOfWork {
    func recordPending(in record: inout ChangeRecord) {
        // Taken out, so that it is changed in place.
        var log = record.rows.removeValue(forKey: entity) as? ChangeLog<E> ?? ChangeLog()
        for object in pending {
            switch object.pendingChange {
            case .none: break
            case .insert: log.insert(object.id)
            case .update(let columns): log.update(object.id, columns)
            case .delete: log.delete(object.id)
            }
        }
        if !log.isEmpty { record.rows[entity] = log }
    }
}

extension WriteContext {
    /// Takes note of a flush; called when its steps lie in the open transaction, and before the
    /// objects are marked as flushed.
    func recordFlush(_ plan: FlushPlan) {
        let interest = transaction.interest
        // Whoever comes to listen before the merge hears that anything may have changed.
        guard !interest.entities.isEmpty else { return journal.record.addUnknown(.all) }
        let changed = plan.changedEntities
        let detailed = changed.intersection(interest.rows)
        journal.record.touched.formUnion(changed)
        journal.record.unknown.formUnion(changed.subtracting(detailed))
        if !detailed.isEmpty {
            for (entity, unit) in units.enumerated() where detailed.contains(entity: entity) {
                unit?.recordPending(in: &journal.record)
            }
        }
        recordUnknown(plan.touchedByDeletion)
    }

    /// Takes note that rows of entities may have changed without objects.
    func recordUnknown(_ entities: Set<Int>) {
        for entity in entities { journal.record.addUnknown(EntityMask(entity: entity)) }
    }
}

extension FlushPlan {
    /// The entities that its steps insert, update or delete rows of.
    fileprivate var changedEntities: EntityMask {
        var entities: EntityMask = []
        for step in steps {
            switch step {
            case .insert(let entity, _), .update(let entity, _, _), .delete(let entity, _):
                entities.insert(EntityMask(entity: entity))
            case .reserveIDs: break
            }
        }
        return entities
    }
}
