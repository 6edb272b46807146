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

    /// The number of the first slots, if there is memory for them.
    @usableFromInline static var firstCapacity: Int { 64 }
    /// How many rows are allocated at a time, if there is memory for them.
    @usableFromInline static var chunkSize: Int { 32 }

    /// The memory that these and all other slots of the store may take.
    @usableFromInline let budget: CacheBudget
    /// How many bytes of it these have taken.
    @usableFromInline private(set) var bytes = 0

    // The slots are allocated separately; a look-up touches no more of them than it needs.
    /// The number of slots: 0 or a power of two.
    @usableFromInline var capacity = 0
    @usableFromInline var count = 0
    @usableFromInline var keys: UnsafeMutablePointer<E.RawID?>?
    /// Where the row of each slot is; initialised where there is a key.
    ///
    /// Rows stay where they are when there are more slots, of which most are empty: so the rows lie
    /// close together, in as little memory as they need.
    @usableFromInline var places: UnsafeMutablePointer<UnsafeMutablePointer<E>>?
    /// The bytes that the texts and blobs of each row take; initialised where there is a key.
    @usableFromInline var weights: UnsafeMutablePointer<UInt16>?
    /// The keys that a full bucket has rejected last, a byte of each (the doorkeeper).
    @usableFromInline var doorkeeper: UnsafeMutablePointer<UInt8>?
    /// The memory for rows, in chunks.
    @usableFromInline var chunks: [UnsafeMutablePointer<E>] = []
    /// The places without a row.
    @usableFromInline var freePlaces: [UnsafeMutablePointer<E>] = []
    /// The slot that is replaced in the next full bucket.
    @usableFromInline var victim = 0

    @usableFromInline
    init(budget: CacheBudget) { self.budget = budget }

    /// The bytes of a slot, without its row.
    @usableFromInline static var slotSize: Int {
        MemoryLayout<E.RawID?>.stride + MemoryLayout<UnsafeMutablePointer<E>>.stride
            + MemoryLayout<UInt16>.stride + MemoryLayout<UInt8>.stride
    }

    /// The bytes of a number of rows, without their texts and blobs.
    @usableFromInline static func size(ofRows count: Int) -> Int {
        // The place may be listed as free, too.
        count * (MemoryLayout<E>.stride + MemoryLayout<UnsafeMutablePointer<E>>.stride)
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
        guard let slot = slot(of: key, at: hash), let places else { return nil }
        return places[slot].pointee
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
        var isFull = true
        for offset in 0..<Self.bucketSize {
            let slot = first + (victim &+ offset) & (Self.bucketSize - 1)
            if keys[slot] != nil {
                occupied = slot
            } else if hasPlace(), resize(by: Int(weight)) {
                return fill(slot, with: value, weight: weight, under: key)
            } else {
                isFull = false
            }
        }
        // Some buckets are full long before half of the slots are used.
        if isFull, count * 4 >= capacity, grow() {
            return insert(value, weight: weight, under: key, at: hash)
        }
        guard let occupied, wasRejectedBefore(at: hash) else { return }
        victim = (victim + 1) & (Self.bucketSize - 1)
        replace(occupied, by: value, weight: weight, under: key)
    }

    /// Initialises a slot, for which there is a place, and whose weight was taken from the budget.
    @inlinable
    mutating func fill(_ slot: Int, with value: E, weight: UInt16, under key: E.RawID) {
        guard let keys, let places, let weights, let place = freePlaces.popLast() else { return }
        place.initialize(to: value)
        places[slot] = place
        keys[slot] = key
        weights[slot] = weight
        count += 1
    }

    /// Whether there is a place for another row; allocates some if there is memory for them.
    @inlinable
    mutating func hasPlace() -> Bool {
        if !freePlaces.isEmpty { return true }
        // A few, if there is no memory for more.
        var size = Self.chunkSize
        if !resize(by: Self.size(ofRows: size)) {
            size = Self.bucketSize
            guard resize(by: Self.size(ofRows: size)) else { return false }
        }
        let chunk = UnsafeMutablePointer<E>.allocate(capacity: size)
        chunks.append(chunk)
        // The first is taken first.
        for index in (0..<size).reversed() { freePlaces.append(chunk + index) }
        return true
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
        guard let keys, let places, let weights else { return }
        keys[slot] = nil
        count -= 1
        places[slot].deinitialize(count: 1)
        freePlaces.append(places[slot])
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
        if let keys, let places {
            for slot in 0..<capacity where keys[slot] != nil {
                places[slot].deinitialize(count: 1)
            }
        }
        freeSlots()
        for chunk in chunks { chunk.deallocate() }
        chunks = []
        freePlaces = []
        capacity = 0
        count = 0
        _ = resize(by: -bytes)
    }

    /// Frees the memory of the slots, but not of their rows.
    @usableFromInline
    mutating func freeSlots() {
        keys?.deinitialize(count: capacity)
        keys?.deallocate()
        places?.deallocate()
        weights?.deallocate()
        doorkeeper?.deallocate()
        keys = nil
        places = nil
        weights = nil
        doorkeeper = nil
    }

    /// Allocates the first slots, or doubles their number; returns whether there is memory for them.
    @inlinable @inline(never)
    mutating func grow() -> Bool {
        var size = capacity == 0 ? Self.firstCapacity : capacity * 2
        if !resize(by: (size - capacity) * Self.slotSize) {
            guard capacity == 0 else { return false }
            size = Self.bucketSize
            guard resize(by: size * Self.slotSize) else { return false }
        }
        let old = (keys: keys, places: places, weights: weights, capacity: capacity)
        var replaced = self
        allocate(size)
        for slot in 0..<old.capacity {
            guard let key = old.keys?[slot], let keys, let places, let weights,
                let oldPlaces = old.places, let oldWeights = old.weights
            else { continue }
            // With one bit more, the rows of a bucket are split between two buckets, which
            // have room for them.
            var new = bucket(RowCache<E>.hashInShard(key))
            while keys[new] != nil { new += 1 }
            keys[new] = key
            places[new] = oldPlaces[slot]
            weights[new] = oldWeights[slot]
        }
        replaced.freeSlots()
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
        places = .allocate(capacity: size)
        weights = .allocate(capacity: size)
        capacity = size
    }
}
