import Locks
import SkiathosStore
import Synchronization

/// The cached rows of all entities, which were looked up by their IDs.
///
/// They are those of the version that was committed last.
///
/// A read has a version. If it is that of the caches, a cached row is what the store would
/// return. A commit removes the rows that it has changed before it publishes the next version.
/// Between the two the caches have no version, and reads use the store.
@usableFromInline
final class RowCaches: Sendable {
    private final class Slot: Sendable {
        let cache = AtomicLazyReference<AnyRowCache>()
    }

    /// The memory that the cached rows of all entities may take.
    let budget: CacheBudget
    let version = CachedVersion()
    /// The caches by the position of their entity, created on first use.
    private let slots: [Slot]
    /// The rows that the writes of the open batch have changed.
    ///
    /// Changed while the connection that writes is held.
    private let merged = Lock(CacheInvalidation())
    /// Whether `merged` has any; changed with it.
    private let hasMerged = Atomic(false)

    /// Creates caches for a store that was just opened, or none where rows cannot be cached:
    /// where reads see what is merged and not committed, or others may write.
    ///
    /// - Parameter size: The memory for rows, in bytes; 0 for no caches.
    init?(for store: any PersistentStore, size: Int) throws {
        let shards = store.schema.entities.count * AnyRowCache.shardCount
        guard size > 0, shards > 0, !store.readers.isEmpty, !store.isReadOnly else { return nil }
        budget = CacheBudget(size: size, shardCount: shards)
        slots = store.schema.entities.map { _ in Slot() }
        let committed = try store.writer.withSession { $0.committedVersion }
        version.number.store(committed ?? CachedVersion.none, ordering: .relaxed)
    }

    /// The cache of an entity.
    func cache<E: Entity>(of entity: E.Type, at position: Int) -> AnyRowCache {
        if let cache = slots[position].cache.load() { return cache }
        return slots[position].cache.storeIfNil(RowCache<E>(budget: budget, version: version))
    }

    /// The cache of an entity, if there is one.
    func cache(at position: Int) -> AnyRowCache? { slots[position].cache.load() }

    /// Records that a write was merged into the batch.
    func merged(_ invalidation: CacheInvalidation) {
        guard !invalidation.isEmpty else { return }
        merged.withLock { $0.add(invalidation) }
        hasMerged.store(true, ordering: .relaxed)
    }

    /// Records that the batch is lost, so that the rows stay as they were.
    func lost() { _ = takeMerged() }

    private func takeMerged() -> CacheInvalidation {
        guard hasMerged.exchange(false, ordering: .relaxed) else { return CacheInvalidation() }
        return merged.withLock { merged in
            defer { merged = CacheInvalidation() }
            return merged
        }
    }

    /// Invalidates the rows that the batch has changed; called after its commit, while the
    /// connection is held.
    ///
    /// - Parameters:
    ///   - before: The version that the commit was based on.
    ///   - after: The version after the commit, or `nil` if that is not known.
    func committed(from before: UInt64?, to after: UInt64?) {
        let isNext = version.number.load(ordering: .relaxed) == before
        version.number.store(CachedVersion.none, ordering: .sequentiallyConsistent)
        if isNext {
            if hasMerged.load(ordering: .relaxed) { takeMerged().apply(to: self) }
        } else {
            _ = takeMerged()
            // A commit has changed rows that were not recorded.
            for slot in slots { slot.cache.load()?.removeAll() }
        }
        if let after { version.number.store(after, ordering: .sequentiallyConsistent) }
    }

    /// Removes all rows of some entities.
    func removeAll(of entities: EntityMask) {
        guard !entities.isEmpty else { return }
        for (position, slot) in slots.enumerated() where entities.contains(entity: position) {
            slot.cache.load()?.removeAll()
        }
    }
}
