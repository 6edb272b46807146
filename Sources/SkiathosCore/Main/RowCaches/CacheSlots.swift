/// Slots for rows, in buckets of four.
///
/// A key belongs to one bucket. Each slot has a tag, a byte with bits of its key's hash, and those of a
/// bucket are compared in one word (as Swiss tables do, abseil.io/about/design/swisstables). The tags of
/// thousands of rows stay in the processor's cache, so that a row that is not cached is known to be
/// absent without a look at memory that is not.
///
/// When the bucket is full and there is no memory for more slots, one of its rows is replaced by a key that
/// comes the second time. Rows that are looked up once, such as those of a walk over the table, evict
/// nothing and cost next to nothing. That loses few rows while other buckets have room, and no order
/// of use has to be maintained.
///
/// The owner calls ``removeAll()`` at the end, which frees the memory.
@usableFromInline
struct CacheSlots<E: Entity> {
    /// A row with its key.
    @usableFromInline
    struct Row {
        @usableFromInline let key: E.RawID
        @usableFromInline let value: E
        /// The bytes that its texts and blobs take.
        @usableFromInline let weight: UInt16

        @usableFromInline @inline(__always)
        init(key: E.RawID, value: E, weight: UInt16) {
            self.key = key
            self.value = value
            self.weight = weight
        }
    }

    /// As many as a word has bytes.
    @usableFromInline static var bucketSize: Int { 4 }

    /// The number of the first slots, if there is memory for them.
    @usableFromInline static var firstCapacity: Int { 64 }
    /// How many rows are allocated at a time, if there is memory for them.
    @usableFromInline static var chunkSize: Int { 32 }

    /// The memory that these and all other slots of the store may take.
    @usableFromInline let budget: CacheBudget
    /// How many bytes of it these have taken.
    @usableFromInline private(set) var bytes = 0

    /// The number of the last bucket, whose bits are all set; -1 without buckets.
    @usableFromInline var lastBucket = -1
    /// The number of slots: 0 or a power of two.
    @inlinable var capacity: Int { (lastBucket + 1) * Self.bucketSize }
    @usableFromInline var count = 0
    /// The tag of each slot, by buckets; 0 if the slot is empty.
    @usableFromInline var tags: UnsafeMutablePointer<UInt32>?
    /// Where the row of each slot is; initialised where there is a tag.
    ///
    /// Rows stay where they are when there are more slots, of which most are empty: so the rows lie
    /// close together, in as little memory as they need.
    @usableFromInline var places: UnsafeMutablePointer<UnsafeMutablePointer<Row>>?
    /// The keys that a full bucket has rejected last, a byte of each (the doorkeeper).
    @usableFromInline var doorkeeper: UnsafeMutablePointer<UInt8>?
    /// The memory for rows, in chunks.
    @usableFromInline var chunks: [UnsafeMutablePointer<Row>] = []
    /// The places without a row.
    @usableFromInline var freePlaces: [UnsafeMutablePointer<Row>] = []
    /// The slot that is replaced in the next full bucket.
    @usableFromInline var victim = 0

    @usableFromInline
    init(budget: CacheBudget) { self.budget = budget }

    /// The bytes of a slot, without its row.
    @usableFromInline static var slotSize: Int {
        MemoryLayout<UInt32>.stride / bucketSize + MemoryLayout<UnsafeMutablePointer<Row>>.stride
            + MemoryLayout<UInt8>.stride
    }

    /// The bytes of a number of rows, without their texts and blobs.
    @usableFromInline static func size(ofRows count: Int) -> Int {
        // The place may be listed as free, too.
        count * (MemoryLayout<Row>.stride + MemoryLayout<UnsafeMutablePointer<Row>>.stride)
    }

    /// The number of the bucket for a hash.
    @inlinable @inline(__always)
    func bucket(_ hash: Int) -> Int { hash & lastBucket }

    /// The tag of a key with a hash.
    ///
    /// Hashes in one bucket differ in their high bits only, and neighbouring ones in their low bits: the
    /// product has both in its highest byte (Knuth, The Art of Computer Programming 3, 6.4).
    @inlinable @inline(__always)
    static func tag(_ hash: Int) -> UInt32 {
        let product = UInt64(truncatingIfNeeded: hash) &* 0x9e37_79b9_7f4a_7c15
        return UInt32(truncatingIfNeeded: product >> 56) | 0x80
    }

    /// The slot and the place of a row, if it is cached.
    @inlinable @inline(__always)
    func find(_ key: E.RawID, at hash: Int) -> (slot: Int, place: UnsafeMutablePointer<Row>)? {
        guard let tags, let places else { return nil }
        let bucket = bucket(hash)
        // A byte is zero where the tags are equal, and then the highest bit is set below; also above
        // such a byte if the tags differ by one, but never for an empty slot.
        let differences = tags[bucket] ^ (Self.tag(hash) &* 0x0101_0101)
        var matches = (differences &- 0x0101_0101) & ~differences & 0x8080_8080
        while matches != 0 {
            let slot = bucket &* Self.bucketSize &+ matches.trailingZeroBitCount >> 3
            let place = places[slot]
            if place.pointee.key.identity == key.identity { return (slot, place) }
            matches &= matches &- 1
        }
        return nil
    }

    /// The row with a key, if it is cached.
    @inlinable @inline(__always)
    subscript(key: E.RawID, at hash: Int) -> E? { find(key, at: hash)?.place.pointee.value }

    /// Whether a slot has a row.
    @inlinable @inline(__always)
    func hasRow(_ slot: Int) -> Bool {
        guard let tags else { return false }
        return tags[slot / Self.bucketSize] & Self.bits(0xff, of: slot) != 0
    }

    /// A byte where the tag of a slot is in the word of its bucket.
    @inlinable @inline(__always)
    static func bits(_ tag: UInt32, of slot: Int) -> UInt32 {
        tag << UInt32(truncatingIfNeeded: slot % bucketSize * 8)
    }

    /// Inserts a row into its bucket.
    ///
    /// - Parameter weight: The bytes that its texts and blobs take.
    @inlinable
    mutating func insert(_ value: E, weight: UInt16, under key: E.RawID, at hash: Int) {
        if let found = find(key, at: hash) {
            return replace(found.slot, by: value, weight: weight, under: key, at: hash)
        }
        if capacity == 0, !grow() { return }
        let first = bucket(hash) * Self.bucketSize
        var occupied: Int?
        var isFull = true
        for offset in 0..<Self.bucketSize {
            let slot = first + (victim &+ offset) & (Self.bucketSize - 1)
            if hasRow(slot) {
                occupied = slot
            } else if hasPlace(), resize(by: Int(weight)) {
                return fill(slot, with: value, weight: weight, under: key, at: hash)
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
        replace(occupied, by: value, weight: weight, under: key, at: hash)
    }

    /// Prefetches the memory of the next row, if its key has a hash.
    ///
    /// A row that is not cached is read from the store before it is written there. Without this the next
    /// retain or release, an atomic operation, waits until the stores before it have completed.
    @inlinable @inline(__always)
    func prefetchPlace(at hash: Int) {
        guard let places, let place = freePlaces.last else { return }
        prefetch(
            place, count: MemoryLayout<Row>.size, and: places + bucket(hash) &* Self.bucketSize)
    }

    /// Initialises an empty slot, for which there is a place, and whose weight was taken from the budget.
    @inlinable
    mutating func fill(
        _ slot: Int, with value: E, weight: UInt16, under key: E.RawID, at hash: Int
    ) {
        guard let tags, let places, let place = freePlaces.popLast() else { return }
        place.initialize(to: Row(key: key, value: value, weight: weight))
        places[slot] = place
        tags[slot / Self.bucketSize] |= Self.bits(Self.tag(hash), of: slot)
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
        let chunk = UnsafeMutablePointer<Row>.allocate(capacity: size)
        chunks.append(chunk)
        // The first is taken first.
        for index in (0..<size).reversed() { freePlaces.append(chunk + index) }
        return true
    }

    /// Puts a row in the place of another, or empties the slot if the row is too large.
    @inlinable
    mutating func replace(
        _ slot: Int, by value: E, weight: UInt16, under key: E.RawID, at hash: Int
    ) {
        empty(slot)
        if resize(by: Int(weight)) {
            fill(slot, with: value, weight: weight, under: key, at: hash)
        }
    }

    /// Empties a slot that has a row.
    @inlinable
    mutating func empty(_ slot: Int) {
        guard let tags, let places else { return }
        tags[slot / Self.bucketSize] &= ~Self.bits(0xff, of: slot)
        count -= 1
        let place = places[slot]
        let weight = Int(place.pointee.weight)
        place.deinitialize(count: 1)
        freePlaces.append(place)
        _ = resize(by: -weight)
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
        if let found = find(key, at: hash) { empty(found.slot) }
    }

    /// Removes all rows, and frees their memory.
    mutating func removeAll() {
        if let places {
            for slot in 0..<capacity where hasRow(slot) { places[slot].deinitialize(count: 1) }
        }
        freeSlots()
        for chunk in chunks { chunk.deallocate() }
        chunks = []
        freePlaces = []
        lastBucket = -1
        count = 0
        _ = resize(by: -bytes)
    }

    /// Frees the memory of the slots, but not of their rows.
    @usableFromInline
    mutating func freeSlots() {
        tags?.deallocate()
        places?.deallocate()
        doorkeeper?.deallocate()
        tags = nil
        places = nil
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
        var replaced = self
        allocate(size)
        for slot in 0..<replaced.capacity where replaced.hasRow(slot) {
            guard let tags, let places, let place = replaced.places?[slot] else { continue }
            // With one bit more, the rows of a bucket are split between two buckets, which
            // have room for them.
            let hash = RowCache<E>.hashInShard(place.pointee.key)
            var new = bucket(hash) * Self.bucketSize
            while hasRow(new) { new += 1 }
            places[new] = place
            tags[new / Self.bucketSize] |= Self.bits(Self.tag(hash), of: new)
        }
        replaced.freeSlots()
        return true
    }

    /// Allocates a number of empty slots.
    @inlinable
    mutating func allocate(_ size: Int) {
        let newTags = UnsafeMutablePointer<UInt32>.allocate(capacity: size / Self.bucketSize)
        newTags.initialize(repeating: 0, count: size / Self.bucketSize)
        let newDoorkeeper = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
        newDoorkeeper.initialize(repeating: 0, count: size)
        tags = newTags
        doorkeeper = newDoorkeeper
        places = .allocate(capacity: size)
        lastBucket = size / Self.bucketSize - 1
    }
}
