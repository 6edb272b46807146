import SkiathosPlatformLibC
public import SkiathosStore
public import Synchronization

/// A cache of rows of any entity.
@usableFromInline
class AnyRowCache: @unchecked Sendable {
    // Sendable: this class has no state, and its only subclass guards what it has.
    @usableFromInline init() {}

    /// The number of parts of a cache, a power of two.
    @usableFromInline static var shardCount: Int { 16 }

    /// Removes all rows, any of which a commit may change.
    ///
    /// - Parameter version: That after the commit.
    func removeAll(in version: UInt64) {}
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
    /// The last change of rows of the entity.
    @usableFromInline let entityChange: EntityChange

    @usableFromInline
    init(budget: CacheBudget, version: CachedVersion, lastChange: EntityChange) {
        self.version = version
        entityChange = lastChange
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
        let hash = Self.hashInShard(key)
        // Checked inside: a commit that removes the row has to enter, too, and has changed the
        // version before.
        guard self.version.has(version) || self.version.current.areThose(of: version) else {
            return nil
        }
        if let value = shard.pointee.slots[key, at: hash] { return value }
        shard.pointee.slots.prefetchPlace(at: hash)
        return nil
    }

    /// Whether a row that was found in an earlier version would be found in another one as well, as far
    /// as is known.
    ///
    /// - Parameters:
    ///   - earlier: A version.
    ///   - version: That of a read which may be later.
    @inlinable
    func isUnchanged(_ key: E.RawID, since earlier: UInt64, in version: UInt64) -> Bool {
        let shard = shard(of: key)
        guard shard.pointee.enter() else { return false }
        defer { shard.pointee.leave() }
        return isUnchanged(at: Self.hashInShard(key), since: earlier, in: version, shard)
    }

    @inlinable @inline(__always)
    func isUnchanged(
        at hash: Int, since earlier: UInt64, in version: UInt64,
        _ shard: UnsafeMutablePointer<CacheShard<E>>
    ) -> Bool {
        self.version.current.includes(version) && lastChange(at: hash, shard) <= earlier
    }

    /// Caches a row that was read in an earlier version, unless it may be another one by now.
    ///
    /// - Parameters:
    ///   - weight: The bytes that its texts and blobs take, by ``weight(of:)``; `nil` if it must not be
    ///     cached.
    ///   - earlier: The version in which it was read.
    ///   - version: That of the read for which it was looked up.
    /// - Returns: Whether that read would find the same row.
    @discardableResult
    @inlinable
    func insert(
        _ value: E, weight: UInt16?, under key: E.RawID, from earlier: UInt64, in version: UInt64
    ) -> Bool {
        let shard = shard(of: key)
        guard shard.pointee.enter() else { return false }
        defer { shard.pointee.leave() }
        let hash = Self.hashInShard(key)
        let cached = self.version.current
        let last = lastChange(at: hash, shard)
        // A row that a running commit changes or inserts is not cached.
        if let weight, last <= earlier, cached.includes(earlier), earlier <= cached.first {
            shard.pointee.slots.insert(value, weight: weight, under: key, at: hash)
        }
        return cached.includes(version) && last <= earlier
    }

    /// The version since which the row with a hash has not changed.
    @inlinable @inline(__always)
    func lastChange(at hash: Int, _ shard: UnsafeMutablePointer<CacheShard<E>>) -> UInt64 {
        if shard.pointee.changes.all == .max {
            shard.pointee.changes.begin(after: entityChange, version)
        }
        return shard.pointee.changes.last(at: hash)
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

    /// Removes some rows, which a commit changes.
    ///
    /// - Parameter version: That after the commit.
    func remove(_ keys: [E.RawID], in version: UInt64) {
        for key in keys {
            let shard = shard(of: key)
            let hash = Self.hashInShard(key)
            shard.pointee.enterWaiting()
            shard.pointee.changes.record(at: hash, in: version)
            shard.pointee.slots.remove(key, at: hash)
            shard.pointee.leave()
        }
    }

    override func removeAll(in version: UInt64) {
        for index in 0..<Self.shardCount {
            let shard = shards + index
            shard.pointee.enterWaiting()
            shard.pointee.changes.recordAll(in: version)
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
///
/// Versions have even numbers. An odd number is that of a commit: of the cached rows, and of a read that
/// has the version before or after it. During a commit the rows that it changes are in no cache, so
/// what is cached belongs to both versions.
@usableFromInline
final class CachedVersion: Sendable {
    /// The number that stands for no version, even, so that it is not that of a commit.
    @usableFromInline static var none: UInt64 { .max - 1 }

    /// Written by the thread that commits.
    @usableFromInline let number = Atomic(CachedVersion.none)

    init() {}

    /// Whether this is the number of the version, or that of the commit that runs.
    @inlinable @inline(__always)
    func has(_ number: UInt64) -> Bool { self.number.load(ordering: .acquiring) == number }

    /// The versions that the cached rows belong to at this moment.
    @inlinable var current: CachedVersions {
        CachedVersions(number: number.load(ordering: .sequentiallyConsistent))
    }
}

/// The versions that the rows of a cache belong to at a moment: one, two during a commit, or none.
@usableFromInline
struct CachedVersions {
    @usableFromInline let number: UInt64

    @inlinable
    init(number: UInt64) { self.number = number }

    /// The earlier of two.
    @inlinable var first: UInt64 { number & ~1 }
    /// The later of two.
    @inlinable var last: UInt64 { number &+ (number & 1) }

    /// Whether a version is one of them.
    func isBeforeOrAfter(_ version: UInt64) -> Bool { version == first || version == last }

    /// Whether rows in both are those of a version, which is one of them or that of the commit.
    @inlinable
    func areThose(of version: UInt64) -> Bool {
        includes(version) && first <= version
    }

    /// Whether the changes are known that led to a version, or to that before or after a commit.
    @inlinable
    func includes(_ version: UInt64) -> Bool {
        number != CachedVersion.none && last >= version
    }
}

/// A part of a row cache, used by one thread at a time.
@usableFromInline
struct CacheShard<E: Entity>: ~Copyable {
    /// Guarded by `isBusy`.
    @usableFromInline var slots: CacheSlots<E>
    /// Guarded by `isBusy`.
    @usableFromInline var changes = RecentChanges()
    @usableFromInline let isBusy = Atomic(false)

    @usableFromInline
    init(budget: CacheBudget) { slots = CacheSlots(budget: budget) }

    deinit {
        var slots = slots
        slots.removeAll()
        var changes = changes
        changes.removeAll()
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
