import SkiathosStore

/// The changes of one write, as far as they were observed when they were made.
struct ChangeRecord: Sendable {
    /// The entities of which rows may have changed.
    var touched: EntityMask = []
    /// The entities of which rows may have changed that are not in `steps`.
    var unknown: EntityMask = []
    /// The changed rows of the entities whose rows are observed, step by step.
    private(set) var steps: [any RecordedRows] = []
    /// The name and the author of the write, if it has any.
    var origin: SharedOrigin?

    /// The record of a write that may have changed any row of any entity.
    static var everything: ChangeRecord { ChangeRecord(touched: .all, unknown: .all) }

    mutating func removeAll() {
        touched = []
        unknown = []
        if !steps.isEmpty { steps = [] }
        if origin != nil { origin = nil }
    }

    mutating func addUnknown(_ entities: EntityMask) {
        touched.formUnion(entities)
        unknown.formUnion(entities)
    }

    /// Adds what a step has changed, as it was recorded.
    mutating func add(_ step: RecordedStep) {
        for entity in step.unknown { addUnknown(EntityMask(entity: entity)) }
        for (entity, rows) in step.rows where !rows.isEmpty {
            touched.insert(EntityMask(entity: entity))
            steps.append(StoredRows(entity: entity, rows: rows))
        }
    }

    /// Adds the rows that a flush has changed, of entities that are marked as touched.
    mutating func add(_ rows: [any RecordedRows]) {
        if steps.isEmpty { steps = rows } else { steps += rows }
    }

    /// Adds the rows of one entity that a flush has changed.
    mutating func add(_ rows: [any RecordedRows], of entity: Int) {
        touched.insert(EntityMask(entity: entity))
        add(rows)
    }

    /// How many rows more may be recorded as they are stored.
    var room: RecordingLimit {
        var room = RecordingLimit()
        for step in steps {
            room.rows -= step.stored.rows
            room.bytes -= step.stored.bytes
        }
        return RecordingLimit(rows: max(0, room.rows), bytes: max(0, room.bytes))
    }

    /// Calls a closure with the net change of each row of one entity, unless they are `unknown`.
    ///
    /// - Parameter columns: The columns whose values are needed; others may be null or, behind the
    ///   last of these, absent.
    /// - Throws: ``StoreError`` for a value that cannot be stored, or what the closure throws.
    func forEachRow(
        of entity: Int, _ columns: ColumnSet, _ body: (ChangedRow) throws -> Void
    ) throws {
        guard let first = steps.firstIndex(where: { $0.entity == entity }) else { return }
        let later = steps.index(after: first)
        if !steps[later...].contains(where: { $0.entity == entity }), steps[first].areNet {
            return try steps[first].forEachRow(columns, body)
        }
        var net = NetRowChanges()
        for step in steps[first...] where step.entity == entity {
            try step.forEachRow(.all) { net.add($0.before, $0.after) }
        }
        try net.outcome.forEach(body)
    }

    /// The changes of one entity, or `nil` if there are none.
    ///
    /// - Parameter store: The label of the store.
    func changes<E: Entity>(
        of entity: E.Type, at position: Int, in store: String
    ) -> EntityChanges<E>? {
        var log = ChangeLog<E>()
        for step in steps where step.entity == position { log.add(step) }
        var changes = log.outcome(in: store)
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
@usableFromInline
struct EntityMask: OptionSet, Sendable, Hashable {
    @usableFromInline let rawValue: UInt64

    /// All entities.
    static let all = EntityMask(rawValue: .max)

    @inlinable
    init(rawValue: UInt64) { self.rawValue = rawValue }

    @inlinable
    init(entity: Int) { rawValue = 1 << UInt64(entity % UInt64.bitWidth) }

    /// Whether an entity may be in the set.
    @inlinable @inline(__always)
    func contains(entity: Int) -> Bool { contains(EntityMask(entity: entity)) }
}
