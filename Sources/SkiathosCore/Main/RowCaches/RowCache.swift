import PlatformLibC
public import SkiathosStore
public import Synchronization

/// A cache of rows of any entity.
@usableFromInline
class AnyRowCache: @unchecked Sendable {
    // Sendable: this class has no state, and its only subclass guards what it has.
    @usableFromInline init() {}

    /// The number of parts of a cache, a power of two.
    @usableFromInline static var shardCount: Int { 16 }

    /// Removes all rows.
    func removeAll() {}
}

/// A cache of the rows of one entity that were looked up by their IDs.
///
/// The rows are spread over shards, and in each over buckets of four (a set-associative
/// cache). No order of use is maintained, and a look-up is a few instructions. A thread that
/// finds a shard in use reads from the store instead of waiting.
@usableFromInline
final class RowCache<E: Entity>: AnyRowCache, @unchecked Sendable {
    // Sendable: the slots of a shard are touched only by the thread that has entered it. All
    // else never changes.

    /// The largest size of texts and bytes that a cached row may have.
    @usableFromInline static var largestRow: Int { 4096 }

    @usableFromInline let shards: UnsafeMutablePointer<CacheShard<E>>
    /// The version that all cached rows belong to.
    @usableFromInline let version: CachedVersion
    /// The columns whose values may be large.
    @usableFromInline let longColumns: [Int]

    @usableFromInline
    init(budget: CacheBudget, version: CachedVersion) {
        self.version = version
        longColumns = E.schema.columns.indices.filter {
            switch E.schema.columns[$0].storage {
            case .text, .blob, .decimal: true
            case .integer, .real: false
            }
        }
        shards = .allocate(capacity: Self.shardCount)
        for index in 0..<Self.shardCount {
            (shards + index).initialize(to: CacheShard(budget: budget))
        }
    }

    deinit {
        shards.deinitialize(count: Self.shardCount)
        shards.deallocate()
    }

    @inlinable @inline(__always)
    func shard(of key: E.RawID) -> UnsafeMutablePointer<CacheShard<E>> {
        shards + (key.cacheNumber & (Self.shardCount - 1))
    }

    /// The part of a key's number that does not choose its shard.
    @inlinable @inline(__always)
    static func hashInShard(_ key: E.RawID) -> Int { key.cacheNumber >> 4 }

    /// The row with an ID as it is in a version, if it is cached.
    @inlinable @inline(__always)
    func value(_ key: E.RawID, in version: UInt64) -> E? {
        let shard = shard(of: key)
        guard shard.pointee.enter() else { return nil }
        defer { shard.pointee.leave() }
        // Checked inside: a commit that removes the row has to enter, too, and has changed the
        // version before.
        guard self.version.isCurrent(version) else { return nil }
        return shard.pointee.slots[key, at: Self.hashInShard(key)]
    }

    /// Caches a row that was read in a version, unless there is a newer one by now.
    ///
    /// - Parameter weight: The bytes that its texts and blobs take, by ``weight(of:)``.
    @inlinable
    func insert(_ value: E, weight: UInt16, under key: E.RawID, in version: UInt64) {
        let shard = shard(of: key)
        guard shard.pointee.enter() else { return }
        defer { shard.pointee.leave() }
        guard self.version.isCurrent(version) else { return }
        shard.pointee.slots.insert(value, weight: weight, under: key, at: Self.hashInShard(key))
    }

    /// About how many bytes the texts and blobs of a row take in memory; `nil` if the row is too large
    /// to be cached.
    @inlinable
    func weight(of row: RowReader) -> UInt16? {
        var size = 0
        var weight = 0
        for column in longColumns {
            let count = row.byteCount(at: column)
            size += count
            // Shorter texts lie within the value, longer ones in a block with a header of 32 bytes.
            if count > 15 { weight += 32 + count }
        }
        return size <= Self.largestRow ? UInt16(clamping: weight) : nil
    }

    /// Removes some rows.
    func remove(_ keys: [E.RawID]) {
        for key in keys {
            let shard = shard(of: key)
            shard.pointee.enterWaiting()
            shard.pointee.slots.remove(key, at: Self.hashInShard(key))
            shard.pointee.leave()
        }
    }

    override func removeAll() {
        for index in 0..<Self.shardCount {
            let shard = shards + index
            shard.pointee.enterWaiting()
            shard.pointee.slots.removeAll()
            shard.pointee.leave()
        }
    }
}

extension EntityKey {
    /// A number by which keys are spread over the slots of a cache: neighbouring integers lie
    /// side by side.
    @inlinable @inline(__always)
    var cacheNumber: Int {
        if let number = pageNumber { return Int(truncatingIfNeeded: number) }
        return identity.hashValue
    }
}

/// The version of the store that the cached rows belong to.
@usableFromInline
final class CachedVersion: Sendable {
    /// The number that stands for no version.
    @usableFromInline static var none: UInt64 { .max }

    /// Written by the thread that commits.
    @usableFromInline let number = Atomic(CachedVersion.none)

    init() {}

    /// Whether the rows belong to a version, until the next commit.
    @inlinable @inline(__always)
    func isCurrent(_ version: UInt64) -> Bool { number.load(ordering: .acquiring) == version }
}

/// A part of a row cache, used by one thread at a time.
@usableFromInline
struct CacheShard<E: Entity>: ~Copyable {
    /// Guarded by `isBusy`.
    @usableFromInline var slots: CacheSlots<E>
    @usableFromInline let isBusy = Atomic(false)

    @usableFromInline
    init(budget: CacheBudget) { slots = CacheSlots(budget: budget) }

    deinit {
        var slots = slots
        slots.removeAll()
    }

    /// Enters, unless another thread is inside.
    @inlinable @inline(__always)
    func enter() -> Bool {
        isBusy.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
    }

    /// Enters as soon as no other thread is inside; a thread stays for moments.
    func enterWaiting() {
        while !enter() { sched_yield() }
    }

    @inlinable @inline(__always)
    func leave() { isBusy.store(false, ordering: .releasing) }
}
