/// Places for rows, in buckets of four.
///
/// A key belongs to one bucket, whose keys lie in one line of the processor's cache; when it is
/// full, one of them goes. That loses few rows while there is room elsewhere, and nothing has to be
/// kept in order of use.
@usableFromInline
struct CachePlaces<E: Entity>: ~Copyable {
    @usableFromInline static var bucketSize: Int { 4 }

    /// The largest capacity, a power of two.
    @usableFromInline let limit: Int

    // The places lie in memory of their own, of which a look-up touches no more than it needs.
    @usableFromInline var capacity = 0
    @usableFromInline var count = 0
    @usableFromInline var keys: UnsafeMutablePointer<E.RawID?>?
    /// Initialised where there is a key.
    @usableFromInline var values: UnsafeMutablePointer<E>?
    /// The place in the next full bucket that has to give way.
    @usableFromInline var victim = 0

    /// - Parameter limit: How many rows it may hold, at least.
    @usableFromInline
    init(limit: Int) {
        var power = Self.bucketSize
        while power < limit { power *= 2 }
        self.limit = power
    }

    deinit { Self.free(keys, values, capacity) }

    /// The first place of the bucket for a hash.
    @inlinable @inline(__always)
    func bucket(_ hash: Int) -> Int { (hash &* Self.bucketSize) & (capacity - 1) }

    /// The place of a key, if it is there.
    @inlinable @inline(__always)
    func place(of key: E.RawID, at hash: Int) -> Int? {
        guard let keys else { return nil }
        let first = bucket(hash)
        for place in first..<first + Self.bucketSize where keys[place] == key { return place }
        return nil
    }

    /// The row with a key, if it is there.
    @inlinable @inline(__always)
    subscript(key: E.RawID, at hash: Int) -> E? {
        guard let place = place(of: key, at: hash), let values else { return nil }
        return values[place]
    }

    /// Puts a row into its bucket.
    @inlinable
    mutating func keep(_ value: E, under key: E.RawID, at hash: Int) {
        if let place = place(of: key, at: hash), let values {
            values[place] = value
            return
        }
        if count * 2 >= capacity, capacity < limit { grow() }
        guard let keys, let values else { return }
        let first = bucket(hash)
        for place in first..<first + Self.bucketSize where keys[place] == nil {
            (values + place).initialize(to: value)
            keys[place] = key
            count += 1
            return
        }
        victim = (victim + 1) & (Self.bucketSize - 1)
        values[first + victim] = value
        keys[first + victim] = key
    }

    /// Lets go of the row with a key.
    mutating func remove(_ key: E.RawID, at hash: Int) {
        guard let place = place(of: key, at: hash), let keys, let values else { return }
        keys[place] = nil
        count -= 1
        (values + place).deinitialize(count: 1)
    }

    /// Lets go of all rows.
    mutating func removeAll() {
        Self.free(keys, values, capacity)
        keys = nil
        values = nil
        capacity = 0
        count = 0
    }

    /// Makes more places.
    @inlinable @inline(never)
    mutating func grow() {
        let size = capacity == 0 ? min(limit, 64) : capacity * 2
        let newKeys = UnsafeMutablePointer<E.RawID?>.allocate(capacity: size)
        let newValues = UnsafeMutablePointer<E>.allocate(capacity: size)
        newKeys.initialize(repeating: nil, count: size)
        let (oldKeys, oldValues, oldCapacity) = (keys, values, capacity)
        keys = newKeys
        values = newValues
        capacity = size
        guard let oldKeys, let oldValues else { return }
        for old in 0..<oldCapacity {
            guard let key = oldKeys[old] else { continue }
            // With one bit more, a bucket's rows go to two buckets, which so have room for them.
            var place = bucket(RowCache<E>.hashInShard(key))
            while newKeys[place] != nil { place += 1 }
            newKeys[place] = key
            (newValues + place).moveInitialize(from: oldValues + old, count: 1)
        }
        oldKeys.deinitialize(count: oldCapacity)
        oldKeys.deallocate()
        oldValues.deallocate()
    }

    private static func free(
        _ keys: UnsafeMutablePointer<E.RawID?>?, _ values: UnsafeMutablePointer<E>?,
        _ capacity: Int
    ) {
        guard let keys, let values else { return }
        for place in 0..<capacity where keys[place] != nil {
            (values + place).deinitialize(count: 1)
        }
        keys.deinitialize(count: capacity)
        keys.deallocate()
        values.deallocate()
    }
}
