/// Slots for rows, in buckets of four.
///
/// A key belongs to one bucket, whose keys lie in one line of the processor's cache. When the
/// bucket is full and the slots have their largest number, one of its rows is replaced by a key that
/// comes the second time. Rows that are looked up once, such as those of a walk over the table, evict
/// nothing and cost next to nothing. That loses few rows while other buckets have room, and no order
/// of use has to be maintained.
///
/// The owner calls ``removeAll()`` at the end, which frees the memory.
@usableFromInline
struct CacheSlots<E: Entity> {
    @usableFromInline static var bucketSize: Int { 4 }

    /// The largest capacity, a power of two.
    @usableFromInline let limit: Int

    // The slots are allocated separately; a look-up touches no more of them than it needs.
    @usableFromInline var capacity = 0
    @usableFromInline var count = 0
    @usableFromInline var keys: UnsafeMutablePointer<E.RawID?>?
    /// Initialised where there is a key.
    @usableFromInline var values: UnsafeMutablePointer<E>?
    /// The keys that a full bucket has rejected last, a byte of each (the doorkeeper).
    @usableFromInline var doorkeeper: UnsafeMutablePointer<UInt8>?
    /// The slot that is replaced in the next full bucket.
    @usableFromInline var victim = 0

    /// - Parameter limit: How many rows it may hold, at least.
    @usableFromInline
    init(limit: Int) {
        var power = Self.bucketSize
        while power < limit { power *= 2 }
        self.limit = power
    }

    /// The first slot of the bucket for a hash.
    @inlinable @inline(__always)
    func bucket(_ hash: Int) -> Int { (hash &* Self.bucketSize) & (capacity - 1) }

    /// The slot of a key, if it is cached.
    @inlinable @inline(__always)
    func slot(of key: E.RawID, at hash: Int) -> Int? {
        guard let keys else { return nil }
        let first = bucket(hash)
        for slot in first..<first + Self.bucketSize
        where keys[slot]?.identity == key.identity { return slot }
        return nil
    }

    /// The row with a key, if it is cached.
    @inlinable @inline(__always)
    subscript(key: E.RawID, at hash: Int) -> E? {
        guard let slot = slot(of: key, at: hash), let values else { return nil }
        return values[slot]
    }

    /// Inserts a row into its bucket.
    @inlinable
    mutating func insert(_ value: E, under key: E.RawID, at hash: Int) {
        if let slot = slot(of: key, at: hash), let values {
            values[slot] = value
            return
        }
        if count * 2 >= capacity, capacity < limit { grow() }
        guard let keys, let values else { return }
        let first = bucket(hash)
        for slot in first..<first + Self.bucketSize where keys[slot] == nil {
            (values + slot).initialize(to: value)
            keys[slot] = key
            count += 1
            return
        }
        // Some buckets are full long before half of the slots are used.
        if count * 4 >= capacity, capacity < limit {
            grow()
            return insert(value, under: key, at: hash)
        }
        guard wasRejectedBefore(at: hash) else { return }
        victim = (victim + 1) & (Self.bucketSize - 1)
        values[first + victim] = value
        keys[first + victim] = key
    }

    /// Whether the key was rejected before; if not, it counts as rejected from now on.
    @inlinable @inline(__always)
    func wasRejectedBefore(at hash: Int) -> Bool {
        guard let doorkeeper else { return true }
        // Neighbouring keys differ in their low bits, which choose the byte; the other bits
        // are in it.
        let slot = hash & (capacity - 1)
        let mark = UInt8(truncatingIfNeeded: (hash >> capacity.trailingZeroBitCount) << 1 | 1)
        guard doorkeeper[slot] != mark else { return true }
        doorkeeper[slot] = mark
        return false
    }

    /// Removes the row with a key.
    mutating func remove(_ key: E.RawID, at hash: Int) {
        guard let slot = slot(of: key, at: hash), let keys, let values else { return }
        keys[slot] = nil
        count -= 1
        (values + slot).deinitialize(count: 1)
    }

    /// Removes all rows, and frees their memory.
    mutating func removeAll() {
        if let keys, let values {
            for slot in 0..<capacity where keys[slot] != nil {
                (values + slot).deinitialize(count: 1)
            }
            keys.deinitialize(count: capacity)
            keys.deallocate()
            values.deallocate()
        }
        doorkeeper?.deallocate()
        keys = nil
        values = nil
        doorkeeper = nil
        capacity = 0
        count = 0
    }

    /// Allocates the first slots, or doubles their number.
    @inlinable @inline(never)
    mutating func grow() {
        let size = capacity == 0 ? min(limit, 64) : capacity * 2
        let newKeys = UnsafeMutablePointer<E.RawID?>.allocate(capacity: size)
        let newValues = UnsafeMutablePointer<E>.allocate(capacity: size)
        newKeys.initialize(repeating: nil, count: size)
        doorkeeper?.deallocate()
        doorkeeper = .allocate(capacity: size)
        doorkeeper?.initialize(repeating: 0, count: size)
        let (oldKeys, oldValues, oldCapacity) = (keys, values, capacity)
        keys = newKeys
        values = newValues
        capacity = size
        guard let oldKeys, let oldValues else { return }
        for old in 0..<oldCapacity {
            guard let key = oldKeys[old] else { continue }
            // With one bit more, the rows of a bucket are split between two buckets, which
            // have room for them.
            var slot = bucket(RowCache<E>.hashInShard(key))
            while newKeys[slot] != nil { slot += 1 }
            newKeys[slot] = key
            (newValues + slot).moveInitialize(from: oldValues + old, count: 1)
        }
        oldKeys.deinitialize(count: oldCapacity)
        oldKeys.deallocate()
        oldValues.deallocate()
    }
}
