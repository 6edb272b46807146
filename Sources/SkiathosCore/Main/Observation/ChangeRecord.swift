import SkiathosStore

/// The changes of one write, as far as they were observed when they were made.
struct ChangeRecord: Sendable {
    /// The entities of which rows may have changed.
    var touched: EntityMask = []
    /// The entities of which rows may have changed that are not in `rows`.
    var unknown: EntityMask = []
    /// The changed rows of the entities whose rows are observed, by position.
    var rows: [Int: any RecordedChanges] = [:]

    /// The record of a write that may have changed any row of any entity.
    static var everything: ChangeRecord { ChangeRecord(touched: .all, unknown: .all) }

    mutating func addUnknown(_ entities: EntityMask) {
        touched.formUnion(entities)
        unknown.formUnion(entities)
    }

    /// The changes of one entity, or `nil` if there are none.
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
        // Removed from the record, so that it is changed in place.
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
    /// Records a flush; called when its steps lie in the open transaction, and before the
    /// objects are marked as flushed.
    func recordFlush(_ plan: FlushPlan) {
        let interest = transaction.interest
        // An observer that is added before the merge is told that anything may have changed.
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

    /// Records that rows of entities may have changed without objects.
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
