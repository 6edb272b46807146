import SkiathosLocks
import SkiathosStore
import Synchronization

/// The cached rows of all entities, which were looked up by their IDs.
///
/// They are those of the version that was committed last.
///
/// A read has a version. If it is that of the caches, a cached row is what the store would
/// return. The rows that a commit changes are removed before it begins, and during the commit no row is
/// added: what is cached then is the same in the versions before and after it.
@usableFromInline
final class RowCaches: Sendable {
    private final class Slot: Sendable {
        let cache = AtomicLazyReference<AnyRowCache>()
        let lastChange = EntityChange()

        /// The cache, if there is one, for a commit that changes rows.
        ///
        /// - Parameter version: That after the commit.
        func cache(changedIn version: UInt64) -> AnyRowCache? {
            // First: a cache that is made at the same time is found here, or finds the change.
            lastChange.version.store(version, ordering: .sequentiallyConsistent)
            atomicMemoryFence(ordering: .sequentiallyConsistent)
            return cache.load()
        }
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
        return slots[position].cache.storeIfNil(
            RowCache<E>(
                budget: budget, version: version, lastChange: slots[position].lastChange))
    }

    /// The cache of an entity, if there is one.
    func cache(at position: Int) -> AnyRowCache? { slots[position].cache.load() }

    /// The cache of an entity, if there is one, for a commit that changes rows.
    ///
    /// - Parameter version: That after the commit.
    func cache(at position: Int, changedIn version: UInt64) -> AnyRowCache? {
        slots[position].cache(changedIn: version)
    }

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

    /// Removes the rows that the batch changes; called before its commit, while the connection is held.
    ///
    /// - Parameter before: The version that the commit is based on.
    func willCommit(from before: UInt64?) {
        guard let before, version.number.load(ordering: .relaxed) == before else {
            // A commit has changed rows that were not recorded.
            return lose()
        }
        version.number.store(before &+ 1, ordering: .sequentiallyConsistent)
        if hasMerged.load(ordering: .relaxed) { takeMerged().apply(to: self, in: before &+ 2) }
    }

    /// Records the end of a commit, also of one that has failed, while the connection is held.
    ///
    /// - Parameter version: That of the store now, or `nil` if that is not known.
    func commitEnded(at version: UInt64?) {
        guard let version else { return lose() }
        // Whether it has failed does not matter: the rows that it was to change are no longer cached.
        if !self.version.current.isBeforeOrAfter(version) {
            _ = takeMerged()
            removeAll(of: .all, in: version)
        }
        self.version.number.store(version, ordering: .sequentiallyConsistent)
    }

    /// Leaves the caches without a version, since it is not known what has changed: the end of the
    /// commit removes all rows.
    private func lose() {
        version.number.store(CachedVersion.none, ordering: .sequentiallyConsistent)
    }

    /// Removes all rows of some entities, which a commit changes.
    ///
    /// - Parameter version: That after the commit.
    func removeAll(of entities: EntityMask, in version: UInt64) {
        guard !entities.isEmpty else { return }
        for (position, slot) in slots.enumerated() where entities.contains(entity: position) {
            slot.cache(changedIn: version)?.removeAll(in: version)
        }
    }
}
