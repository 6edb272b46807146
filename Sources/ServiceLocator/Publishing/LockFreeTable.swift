import SkiathosLocks
import Synchronization

/// The lock-free table of the ready services of one scope.
///
/// A hash table that only grows. A slot is made with the first registration of its key and
/// lives as long as the scope. So does every table that was replaced by a larger one. A reader
/// retains the scope, so it never reads freed memory of the table. The boxes that the
/// pointers lead to are released earlier: see ``EpochGuard``. The old tables together are smaller
/// than the last.
///
/// Sendable: readers use atomics and what was written before these were stored; writers hold
/// `writing`.
final class LockFreeTable: @unchecked Sendable {
    private struct Slot: ~Copyable {
        let type: ObjectIdentifier
        let name: String?
        let bits: Atomic<UInt>
    }
    private typealias SlotPointer = UnsafeMutablePointer<Slot>
    private typealias Cell = Atomic<SlotPointer?>

    private struct Index: ~Copyable {
        let bits: UInt64
        let cells: UnsafeMutablePointer<Cell>

        var capacity: Int { 1 << Int(bits) }
    }

    private struct Writing {
        var slots: [SlotPointer] = []
        var indexes: [UnsafeMutablePointer<Index>] = []
    }

    // Nil until the first registration: many child scopes are empty.
    private let current = Atomic<UnsafeMutablePointer<Index>?>(nil)
    private let writing = Lock(Writing())

    deinit {
        writing.withLock {
            for index in $0.indexes {
                index.pointee.cells.deinitialize(count: index.pointee.capacity).deallocate()
                index.deinitialize(count: 1).deallocate()
            }
            for slot in $0.slots { slot.deinitialize(count: 1).deallocate() }
        }
    }

    /// The tagged pointer published for a key, or nil if the scope never had the key.
    @inline(__always)
    func bits(of type: ObjectIdentifier, _ name: String?) -> UInt? {
        guard let index = current.load(ordering: .acquiring) else { return nil }
        return Self.find(type, name, in: index)?.pointee.bits
            .load(ordering: .sequentiallyConsistent)
    }

    /// Publishes a tagged pointer for a key.
    func setBits(_ bits: UInt, of key: ServiceKey) {
        writing.withLock { writing in
            if let index = current.load(ordering: .acquiring),
                let slot = Self.find(key.type, key.name, in: index)
            {
                slot.pointee.bits.store(bits, ordering: .sequentiallyConsistent)
            } else {
                let slot = SlotPointer.allocate(capacity: 1)
                slot.initialize(to: Slot(type: key.type, name: key.name, bits: Atomic(bits)))
                insert(slot, &writing)
            }
        }
    }

    /// Clears all pointers; a reader that loaded one before may still be about to retain its box.
    func clear() {
        writing.withLock {
            for slot in $0.slots {
                slot.pointee.bits.store(TaggedPointer.empty, ordering: .sequentiallyConsistent)
            }
        }
    }

    private func insert(_ slot: SlotPointer, _ writing: inout Writing) {
        writing.slots.append(slot)
        if let index = current.load(ordering: .acquiring),
            writing.slots.count * 2 <= index.pointee.capacity
        {
            Self.place(slot, in: index)
            return
        }
        let larger = Self.makeIndex(for: writing.slots)
        writing.indexes.append(larger)
        current.store(larger, ordering: .releasing)
    }

    private static func makeIndex(for slots: [SlotPointer]) -> UnsafeMutablePointer<Index> {
        var bits: UInt64 = 3
        while slots.count * 4 > 1 << Int(bits) { bits += 1 }
        let cells = UnsafeMutablePointer<Cell>.allocate(capacity: 1 << Int(bits))
        for position in 0..<1 << Int(bits) { (cells + position).initialize(to: Atomic(nil)) }
        let index = UnsafeMutablePointer<Index>.allocate(capacity: 1)
        index.initialize(to: Index(bits: bits, cells: cells))
        for slot in slots { place(slot, in: index) }
        return index
    }

    /// Stores a slot in the first free cell; at least half of the cells are free.
    private static func place(_ slot: SlotPointer, in index: UnsafeMutablePointer<Index>) {
        var position = start(slot.pointee.type, slot.pointee.name, index.pointee.bits)
        while index.pointee.cells[position].load(ordering: .relaxed) != nil {
            position = (position + 1) & (index.pointee.capacity - 1)
        }
        index.pointee.cells[position].store(slot, ordering: .releasing)
    }

    @inline(__always)
    private static func find(
        _ type: ObjectIdentifier, _ name: String?, in index: UnsafeMutablePointer<Index>
    ) -> SlotPointer? {
        var position = start(type, name, index.pointee.bits)
        while let slot = index.pointee.cells[position].load(ordering: .acquiring) {
            if slot.pointee.type == type, slot.pointee.name == name { return slot }
            position = (position &+ 1) & (index.pointee.capacity &- 1)
        }
        return nil
    }

    @inline(__always)
    private static func start(_ type: ObjectIdentifier, _ name: String?, _ bits: UInt64) -> Int {
        var hash = UInt64(UInt(bitPattern: type))
        if let name { hash ^= UInt64(truncatingIfNeeded: name.hashValue) }
        return Int(truncatingIfNeeded: (hash &* 0x9E37_79B9_7F4A_7C15) >> (64 &- bits))
    }
}
