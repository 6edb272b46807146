/// Slots for rows, in buckets of four.
///
/// A key belongs to one bucket, whose keys lie in one line of the processor's cache. When the
/// bucket is full and there is no memory for more slots, one of its rows is replaced by a key that
/// comes the second time. Rows that are looked up once, such as those of a walk over the table, evict
/// nothing and cost next to nothing. That loses few rows while other buckets have room, and no order
/// of use has to be maintained.
///
/// The owner calls ``removeAll()`` at the end, which frees the memory.
@usableFromInline
struct CacheSlots<E: Entity> {
    @usableFromInline static var bucketSize: Int { 4 }

    /// The memory that these and all other slots of the store may take.
    @usableFromInline let budget: CacheBudget
    /// How many bytes of it these have taken.
    @usableFromInline private(set) var bytes = 0

    // The slots are allocated separately; a look-up touches no more of them than it needs.
    /// The number of slots: 0 or a power of two.
    @usableFromInline var capacity = 0
    @usableFromInline var count = 0
    @usableFromInline var keys: UnsafeMutablePointer<E.RawID?>?
    /// Initialised where there is a key.
    @usableFromInline var values: UnsafeMutablePointer<E>?
    /// The bytes that the texts and blobs of each row take; initialised where there is a key.
    @usableFromInline var weights: UnsafeMutablePointer<UInt16>?
    /// The keys that a full bucket has rejected last, a byte of each (the doorkeeper).
    @usableFromInline var doorkeeper: UnsafeMutablePointer<UInt8>?
    /// The slot that is replaced in the next full bucket.
    @usableFromInline var victim = 0

    @usableFromInline
    init(budget: CacheBudget) { self.budget = budget }

    /// The bytes of a slot, without the texts and blobs of its row.
    @usableFromInline static var slotSize: Int {
        MemoryLayout<E.RawID?>.stride + MemoryLayout<E>.stride + MemoryLayout<UInt16>.stride
            + MemoryLayout<UInt8>.stride
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
    ///
    /// - Parameter weight: The bytes that its texts and blobs take.
    @inlinable
    mutating func insert(_ value: E, weight: UInt16, under key: E.RawID, at hash: Int) {
        if let slot = slot(of: key, at: hash) {
            return replace(slot, by: value, weight: weight, under: key)
        }
        if capacity == 0, !grow() { return }
        guard let keys else { return }
        let first = bucket(hash)
        var occupied: Int?
        for offset in 0..<Self.bucketSize {
            let slot = first + (victim &+ offset) & (Self.bucketSize - 1)
            if keys[slot] != nil {
                occupied = slot
            } else if resize(by: Int(weight)) {
                return fill(slot, with: value, weight: weight, under: key)
            }
        }
        // Some buckets are full long before half of the slots are used.
        if count * 4 >= capacity, count > 0, grow() {
            return insert(value, weight: weight, under: key, at: hash)
        }
        guard let occupied, wasRejectedBefore(at: hash) else { return }
        victim = (victim + 1) & (Self.bucketSize - 1)
        replace(occupied, by: value, weight: weight, under: key)
    }

    /// Initialises a slot, whose weight was taken from the budget.
    @inlinable
    mutating func fill(_ slot: Int, with value: E, weight: UInt16, under key: E.RawID) {
        guard let keys, let values, let weights else { return }
        (values + slot).initialize(to: value)
        keys[slot] = key
        weights[slot] = weight
        count += 1
    }

    /// Puts a row in the place of another, or empties the slot if the row is too large.
    @inlinable
    mutating func replace(_ slot: Int, by value: E, weight: UInt16, under key: E.RawID) {
        empty(slot)
        if resize(by: Int(weight)) { fill(slot, with: value, weight: weight, under: key) }
    }

    /// Empties a slot that has a row.
    @inlinable
    mutating func empty(_ slot: Int) {
        guard let keys, let values, let weights else { return }
        keys[slot] = nil
        count -= 1
        (values + slot).deinitialize(count: 1)
        _ = resize(by: -Int(weights[slot]))
    }

    /// Takes bytes from the budget, or returns some; whether it has as many.
    @usableFromInline
    mutating func resize(by difference: Int) -> Bool {
        guard budget.resize(from: bytes, to: bytes + difference) else { return false }
        bytes += difference
        return true
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
        if let slot = slot(of: key, at: hash) { empty(slot) }
    }

    /// Removes all rows, and frees their memory.
    mutating func removeAll() {
        if let keys, let values {
            for slot in 0..<capacity where keys[slot] != nil {
                (values + slot).deinitialize(count: 1)
            }
        }
        free()
        capacity = 0
        count = 0
        _ = resize(by: -bytes)
    }

    /// Frees the memory of the slots, whose rows are no longer there.
    @usableFromInline
    mutating func free() {
        keys?.deinitialize(count: capacity)
        keys?.deallocate()
        values?.deallocate()
        weights?.deallocate()
        doorkeeper?.deallocate()
        keys = nil
        values = nil
        weights = nil
        doorkeeper = nil
    }

    /// Allocates the first slots, or doubles their number; returns whether there is memory for them.
    @inlinable @inline(never)
    mutating func grow() -> Bool {
        let size = capacity == 0 ? Self.bucketSize : capacity * 2
        guard resize(by: (size - capacity) * Self.slotSize) else { return false }
        var grown = self
        grown.allocate(size)
        for old in 0..<capacity {
            guard let key = keys?[old], let values, let weights else { continue }
            // With one bit more, the rows of a bucket are split between two buckets, which
            // have room for them.
            var slot = grown.bucket(RowCache<E>.hashInShard(key))
            while grown.keys?[slot] != nil { slot += 1 }
            grown.keys?[slot] = key
            grown.weights?[slot] = weights[old]
            grown.values.map { ($0 + slot).moveInitialize(from: values + old, count: 1) }
        }
        free()
        self = grown
        return true
    }

    /// Allocates a number of empty slots.
    @inlinable
    mutating func allocate(_ size: Int) {
        let newKeys = UnsafeMutablePointer<E.RawID?>.allocate(capacity: size)
        newKeys.initialize(repeating: nil, count: size)
        let newDoorkeeper = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
        newDoorkeeper.initialize(repeating: 0, count: size)
        keys = newKeys
        doorkeeper = newDoorkeeper
        values = .allocate(capacity: size)
        weights = .allocate(capacity: size)
        capacity = size
    }
}
