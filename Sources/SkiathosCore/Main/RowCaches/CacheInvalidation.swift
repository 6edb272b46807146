import SkiathosStore

/// Rows that a write has changed or deleted, which caches must invalidate.
struct CacheInvalidation: Sendable {
    /// The entities of which any row may have changed.
    private var entities: EntityMask = []
    /// The changed rows of the others.
    private var rows: [any InvalidatedRows] = []

    /// Any row of any entity.
    static var everything: CacheInvalidation { CacheInvalidation(entities: .all) }

    var isEmpty: Bool { entities.isEmpty && rows.isEmpty }

    mutating func add(_ changed: EntityMask) { entities.formUnion(changed) }

    mutating func add(_ changed: any InvalidatedRows) { rows.append(changed) }

    mutating func add(_ others: CacheInvalidation) {
        entities.formUnion(others.entities)
        rows += others.rows
    }

    /// Removes the rows from caches.
    ///
    /// - Parameter version: That after the commit which changes them.
    func apply(to caches: RowCaches, in version: UInt64) {
        caches.removeAll(of: entities, in: version)
        for rows in rows where !entities.contains(entity: rows.entity) {
            rows.apply(to: caches, in: version)
        }
    }
}

/// Changed rows of one entity.
@usableFromInline
protocol InvalidatedRows: Sendable {
    /// The position of the entity.
    var entity: Int { get }
    /// Removes them from the caches.
    func apply(to caches: RowCaches, in version: UInt64)
}

/// The IDs of changed rows.
@usableFromInline
struct InvalidatedIDs<E: Entity>: InvalidatedRows {
    @usableFromInline let entity: Int
    @usableFromInline let keys: [E.RawID]

    @inlinable
    init(entity: Int, keys: [E.RawID]) {
        self.entity = entity
        self.keys = keys
    }

    @usableFromInline
    func apply(to caches: RowCaches, in version: UInt64) {
        guard let cache = caches.cache(at: entity, changedIn: version) else { return }
        // Each entity has one cache.
        unsafeDowncast(cache, to: RowCache<E>.self).remove(keys, in: version)
    }
}
