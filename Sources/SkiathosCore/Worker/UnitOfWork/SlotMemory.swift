/// Memory in slots of one size, which are reused after their deallocation.
///
/// A change of an object needs memory for its first value, and allocating it one by one costs a
/// tenth of all that changing a row does.
@usableFromInline
struct SlotMemory {
    private let size: Int
    private let alignment: Int
    /// The first free slot, whose first bytes have the address of the next one.
    @usableFromInline var free: UnsafeMutableRawPointer?
    /// The last chunk, whose first bytes have the address of the one before.
    private var chunks: UnsafeMutableRawPointer?
    /// The number of slots of the next chunk: a small write needs one slot.
    private var nextCount = 1

    private static var largestCount: Int { 64 }
    private static var keptCount: Int { 8 }

    /// Makes memory of which nothing is allocated yet.
    @usableFromInline
    init(size: Int, alignment: Int) {
        let alignment = max(alignment, MemoryLayout<UnsafeMutableRawPointer?>.alignment)
        let least = max(size, MemoryLayout<UnsafeMutableRawPointer?>.size)
        self.alignment = alignment
        self.size = (least + alignment - 1) / alignment * alignment
    }

    /// Allocates a slot, which is not initialized.
    @inlinable
    mutating func allocate() -> UnsafeMutableRawPointer {
        guard let slot = free else { return grow() }
        free = slot.load(as: UnsafeMutableRawPointer?.self)
        return slot
    }

    /// Deallocates a slot, which is not initialized any more.
    @inlinable
    mutating func deallocate(_ slot: UnsafeMutableRawPointer) {
        slot.storeBytes(of: free, as: UnsafeMutableRawPointer?.self)
        free = slot
    }

    /// Allocates a chunk and returns its first slot.
    @usableFromInline @inline(never)
    mutating func grow() -> UnsafeMutableRawPointer {
        let header = max(alignment, MemoryLayout<UnsafeMutableRawPointer?>.size)
        let chunk = UnsafeMutableRawPointer.allocate(
            byteCount: header + nextCount * size, alignment: alignment)
        chunk.storeBytes(of: chunks, as: UnsafeMutableRawPointer?.self)
        chunks = chunk
        // In ascending order, in which they are allocated.
        for index in stride(from: nextCount - 1, to: 0, by: -1) {
            deallocate(chunk + header + index * size)
        }
        nextCount = min(2 * nextCount, Self.largestCount)
        return chunk + header
    }

    /// Frees the memory of many slots, so that a large write leaves none behind; no slot may be in
    /// use.
    mutating func shrink() {
        guard nextCount > Self.keptCount else { return }
        deallocateAll()
        chunks = nil
        free = nil
        nextCount = 1
    }

    /// Frees all memory; no slot may be in use.
    func deallocateAll() {
        var chunk = chunks
        while let last = chunk {
            chunk = last.load(as: UnsafeMutableRawPointer?.self)
            last.deallocate()
        }
    }
}
