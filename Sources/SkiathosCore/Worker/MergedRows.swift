import SkiathosStore

/// The rows that writes have changed which return before their commit, for the report if that fails.
///
/// The first ``LostChanges/limit`` are kept by their IDs, others are counted.
struct MergedRows: Sendable {
    /// The rows of each flush, in order.
    private var flushes: [any FlushedRows] = []
    /// How many changes are in `flushes`, at the most the limit.
    private var known = 0
    /// How many changes are not in `flushes`, of the entities that have such, by position.
    ///
    /// Rows that changed without objects count as far as their number is known, so it may be 0.
    private var others: [Int: Int] = [:]

    /// Adds the rows of a flush.
    mutating func add(_ rows: any FlushedRows) {
        let size = min(rows.keyCount, LostChanges.limit - known)
        known += size
        guard size < rows.count else { return flushes.append(rows) }
        if size > 0 { flushes.append(rows.limited(to: size)) }
        addUnknown(rows.entity, count: rows.count - size)
    }

    /// Adds changes of an entity whose rows are not known.
    mutating func addUnknown(_ entity: Int, count: Int = 0) { others[entity, default: 0] += count }

    /// Removes everything, but keeps the memory of a small write for the next one.
    mutating func removeAll() {
        if flushes.count > 1 { flushes = [] } else { _ = flushes.popLast() }
        known = 0
        if !others.isEmpty { others = [:] }
    }

    /// Adds the rows of a write that came later.
    mutating func add(_ later: MergedRows) {
        for rows in later.flushes { add(rows) }
        guard !later.others.isEmpty else { return }
        for (entity, count) in later.others { addUnknown(entity, count: count) }
    }

    /// The net changes, by entity, in the order of the schema.
    func report(_ schema: StoreSchema) -> [LostChanges] {
        let flushes = Dictionary(grouping: flushes, by: \.entity)
        return schema.entities.indices.compactMap { entity in
            guard let rows = flushes[entity], let first = rows.first else {
                return others[entity].map { LostChanges(of: schema.entities[entity], count: $0) }
            }
            return first.lostChanges(of: rows, others: others[entity])
        }
    }
}

/// The rows of one entity that one flush has changed.
@usableFromInline
protocol FlushedRows: Sendable {
    /// The position of the entity.
    var entity: Int { get }
    /// How many rows were changed.
    var count: Int { get }
    /// How many of them are kept by their IDs.
    var keyCount: Int { get }
    /// The first of them, as many as have an ID here.
    func limited(to count: Int) -> any FlushedRows
    /// The net changes of several flushes of this entity; `nil` if there are none.
    ///
    /// - Parameters:
    ///   - flushes: The flushes, of which this is one, in order.
    ///   - others: How many further changes there were; `nil` if there were none.
    func lostChanges(of flushes: [any FlushedRows], others: Int?) -> LostChanges?
}

/// The ID of the only row that a flush has inserted, which a small write can keep without memory of
/// its own.
@usableFromInline
struct InsertedID<E: Entity>: FlushedRows {
    // In this order, which leaves the value as small as an existential container: three words.
    @usableFromInline let key: E.RawID
    @usableFromInline let position: Int32

    @inlinable
    init(entity: Int, key: E.RawID) {
        position = Int32(truncatingIfNeeded: entity)
        self.key = key
    }

    @usableFromInline var entity: Int { Int(position) }
    @usableFromInline var count: Int { 1 }
    @usableFromInline var keyCount: Int { 1 }

    @usableFromInline
    func limited(to room: Int) -> any FlushedRows { flushed.limited(to: room) }

    @usableFromInline
    func lostChanges(of flushes: [any FlushedRows], others: Int?) -> LostChanges? {
        flushed.lostChanges(of: flushes, others: others)
    }

    /// The same in the form that any flush has.
    fileprivate var flushed: FlushedIDs<E> {
        FlushedIDs(entity: entity, count: 1, deleted: [], updated: [], inserted: [key])
    }
}

/// The IDs of rows that one flush has changed, of which as many are kept as a report may name.
@usableFromInline
struct FlushedIDs<E: Entity>: FlushedRows {
    @usableFromInline let entity: Int
    @usableFromInline let count: Int
    // In the order in which a flush applies them.
    @usableFromInline let deleted: [E.RawID]
    @usableFromInline let updated: [E.RawID]
    @usableFromInline let inserted: [E.RawID]

    @inlinable
    init(
        entity: Int, count: Int, deleted: [E.RawID], updated: [E.RawID], inserted: [E.RawID]
    ) {
        self.entity = entity
        self.count = count
        self.deleted = deleted
        self.updated = updated
        self.inserted = inserted
    }

    @usableFromInline var keyCount: Int { deleted.count + updated.count + inserted.count }

    @usableFromInline
    func limited(to room: Int) -> any FlushedRows {
        let deleted = Array(deleted.prefix(room))
        let updated = Array(updated.prefix(room - deleted.count))
        let inserted = Array(inserted.prefix(room - deleted.count - updated.count))
        return FlushedIDs(
            entity: entity, count: room, deleted: deleted, updated: updated, inserted: inserted)
    }

    @usableFromInline
    func lostChanges(of flushes: [any FlushedRows], others: Int?) -> LostChanges? {
        var log = ChangeLog<E>()
        var known = 0
        for rows in flushes {
            let flush = (rows as? InsertedID<E>)?.flushed ?? (rows as? FlushedIDs<E>)
            guard let flush else { continue }
            for key in flush.deleted { log.delete(E.ID(rawValue: key)) }
            for key in flush.updated { log.update(E.ID(rawValue: key), []) }
            for key in flush.inserted { log.insert(E.ID(rawValue: key)) }
            known += flush.keyCount
        }
        let net = log.outcome(in: "")
        let count = known + (others ?? 0)
        let isAnything = !(net.inserted.isEmpty && net.updated.isEmpty && net.deleted.isEmpty)
        guard isAnything || others != nil else { return nil }
        do {
            return try LostChanges(
                of: E.self, inserted: net.inserted, updated: net.updated.map(\.id),
                deleted: net.deleted, count: count, isComplete: others == nil)
        } catch {
            // An ID that cannot be stored was never flushed; if it were, its row would be missing here.
            return LostChanges(of: E.schema, count: count)
        }
    }
}
