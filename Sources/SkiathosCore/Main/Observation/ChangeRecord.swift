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
