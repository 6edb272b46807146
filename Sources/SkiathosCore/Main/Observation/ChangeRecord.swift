import SkiathosStore

/// The changes of one write, as far as they were observed when they were made.
struct ChangeRecord: Sendable {
    /// The entities of which rows may have changed.
    var touched: EntityMask = []
    /// The entities of which rows may have changed that are not in `rows`.
    var unknown: EntityMask = []
    /// The changed rows of the entities whose rows are observed, by position.
    var rows: [Int: any RecordedChanges] = [:]
    /// The name and the author of the write, if it has any.
    var origin: SharedOrigin?

    /// The record of a write that may have changed any row of any entity.
    static var everything: ChangeRecord { ChangeRecord(touched: .all, unknown: .all) }

    mutating func removeAll() {
        touched = []
        unknown = []
        if !rows.isEmpty { rows = [:] }
        if origin != nil { origin = nil }
    }

    mutating func addUnknown(_ entities: EntityMask) {
        touched.formUnion(entities)
        unknown.formUnion(entities)
    }

    /// Adds what a step has changed, as it was recorded.
    ///
    /// - Parameter traits: Those of the entities, by position.
    mutating func add(_ step: RecordedStep, _ traits: [EntityTraits]) {
        for entity in step.unknown { addUnknown(EntityMask(entity: entity)) }
        for (entity, rows) in step.rows { traits[entity].record(rows, entity, &self) }
    }

    /// Adds changed rows of one entity, as they are stored.
    mutating func add<E: Entity>(_ changed: [ChangedRow], of entity: E.Type, at position: Int) {
        guard !changed.isEmpty else { return }
        touched.insert(EntityMask(entity: position))
        // Removed from the record, so that it is changed in place.
        var log = rows.removeValue(forKey: position) as? ChangeLog<E> ?? ChangeLog()
        log.add(changed)
        rows[position] = log
    }

    /// How many rows more may be recorded as they are stored.
    var room: RecordingLimit {
        var room = RecordingLimit()
        for log in rows.values {
            room.rows -= log.stored.rows
            room.bytes -= log.stored.bytes
        }
        return RecordingLimit(rows: max(0, room.rows), bytes: max(0, room.bytes))
    }

    /// The changes of one entity, or `nil` if there are none.
    ///
    /// - Parameter store: The label of the store.
    func changes<E: Entity>(
        of entity: E.Type, at position: Int, in store: String
    ) -> EntityChanges<E>? {
        let log = rows[position] as? ChangeLog<E>
        var changes = log?.outcome(in: store) ?? EntityChanges(store: store)
        if unknown.contains(entity: position) { changes.isComplete = false }
        guard changes.isAnything || !changes.isComplete else { return nil }
        if let origin { changes.origin = origin.value }
        return changes
    }
}

extension EntityChanges {
    fileprivate var isAnything: Bool { !(inserted.isEmpty && updated.isEmpty && deleted.isEmpty) }
}

/// A set of entities, by position in the schema, in one word.
///
/// Entities whose positions are 64 apart share a bit, so a set may hold too many of them, and
/// never too few: it answers whether something may have changed.
struct EntityMask: OptionSet, Sendable, Hashable {
    let rawValue: UInt64

    /// All entities.
    static let all = EntityMask(rawValue: .max)

    init(rawValue: UInt64) { self.rawValue = rawValue }

    init(entity: Int) { rawValue = 1 << UInt64(entity % UInt64.bitWidth) }

    /// Whether an entity may be in the set.
    func contains(entity: Int) -> Bool { contains(EntityMask(entity: entity)) }
}
