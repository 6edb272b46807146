import SkiathosStore

/// The sort keys of a list in order, each with the slot in which its row is kept.
///
/// Knows nothing of the type of the rows: compiled once, it needs no metadata of theirs at run time. The
/// keys lie in chunks, so that finding, inserting and removing one takes O(√n).
struct OrderedKeys: Sendable {
    private struct Item: Sendable {
        let key: [StoreValue]
        let slot: Int
    }

    /// What becomes of the row in a slot.
    struct Change {
        let slot: Int
        /// `nil` for a row that leaves the list.
        let key: [StoreValue]?
    }

    /// Where the row of a change was in the old list, and where it is in the new one.
    struct Placement {
        var old: Int?
        var new: Int?
        /// Whether its place among the other rows has changed.
        var isMoved = false
    }

    /// A chunk with more keys is split in two.
    private static var chunkLimit: Int { 1_024 }

    private let order: RowOrder
    /// The keys in order; no chunk is empty.
    private var chunks: [[Item]] = []
    /// The key in each slot, `nil` in a free one.
    private var keys: [[StoreValue]?] = []
    private var freeSlots: [Int] = []

    /// How many keys there are.
    var count: Int { keys.count - freeSlots.count }

    init(order: RowOrder) { self.order = order }

    /// The slots, in the order of the keys.
    var slots: [Int] { chunks.flatMap { $0.map(\.slot) } }

    /// Replaces all keys, each of which is in the slot of its position.
    mutating func replace(with all: [[StoreValue]]) {
        var items = all.enumerated().map { Item(key: $1, slot: $0) }
        items.sort { order.areInOrder($0.key, $1.key) }
        let size = Self.chunkLimit / 2
        chunks = stride(from: 0, to: items.count, by: size).map { start in
            Array(items[start..<min(start + size, items.count)])
        }
        keys = all
        freeSlots = []
    }

    /// A slot for a row that is not in the list yet.
    mutating func takeSlot() -> Int {
        if let slot = freeSlots.popLast() { return slot }
        keys.append(nil)
        return keys.count - 1
    }

    /// Changes the keys of some slots, each once.
    mutating func apply(_ changes: [Change]) -> [Placement] {
        var placements = changes.map { change in
            Placement(old: keys[change.slot].map { index(of: $0) })
        }
        for change in changes { set(change.key, in: change.slot) }
        for (number, change) in changes.enumerated() {
            placements[number].new = change.key.map { index(of: $0) }
        }
        markMoved(&placements)
        return placements
    }

    private mutating func set(_ key: [StoreValue]?, in slot: Int) {
        let old = keys[slot]
        keys[slot] = key
        if let old, let key, !order.areInOrder(old, key), !order.areInOrder(key, old) { return }
        if let old { remove(old) }
        if let key { insert(Item(key: key, slot: slot)) } else { freeSlots.append(slot) }
    }

    /// Marks as few rows as possible, those that have to change places.
    private func markMoved(_ placements: inout [Placement]) {
        /// The index of each row among those that have neither left nor come.
        func ranks(_ index: (Placement) -> Int?) -> [Int?] {
            var ranks = [Int?](repeating: nil, count: placements.count)
            let places = placements.indices
                .compactMap { number in index(placements[number]).map { (number, $0) } }
                .sorted { $0.1 < $1.1 }
            for (before, (number, index)) in places.enumerated() { ranks[number] = index - before }
            return ranks
        }
        let (oldRanks, newRanks) = (ranks { $0.old }, ranks { $0.new })
        // Those that lie between the same other rows as before, and may have changed places with each
        // other.
        var near: [(old: Int, new: Int, number: Int)] = []
        for (number, placement) in placements.enumerated() {
            guard let old = placement.old, let new = placement.new else { continue }
            if oldRanks[number] == newRanks[number] {
                near.append((old, new, number))
            } else {
                placements[number].isMoved = true
            }
        }
        guard near.count > 1 else { return }
        near.sort { $0.new < $1.new }
        for moved in IncreasingSubsequence.others(near, by: { $0.old }) {
            placements[moved.number].isMoved = true
        }
    }

    private mutating func insert(_ item: Item) {
        guard !chunks.isEmpty else {
            chunks = [[item]]
            return
        }
        let chunk = max(0, firstChunk(after: item.key) - 1)
        chunks[chunk].insert(item, at: firstPosition(in: chunk, notBefore: item.key))
        if chunks[chunk].count > Self.chunkLimit {
            let half = chunks[chunk].count / 2
            let rest = Array(chunks[chunk][half...])
            chunks[chunk].removeLast(chunks[chunk].count - half)
            chunks.insert(rest, at: chunk + 1)
        }
    }

    private mutating func remove(_ key: [StoreValue]) {
        let chunk = max(0, firstChunk(after: key) - 1)
        chunks[chunk].remove(at: firstPosition(in: chunk, notBefore: key))
        if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
    }

    /// The index of a key that is in the list.
    private func index(of key: [StoreValue]) -> Int {
        let chunk = max(0, firstChunk(after: key) - 1)
        var index = firstPosition(in: chunk, notBefore: key)
        for number in 0..<chunk { index += chunks[number].count }
        return index
    }

    /// The first chunk whose keys all come after a key.
    private func firstChunk(after key: [StoreValue]) -> Int {
        var (low, high) = (0, chunks.count)
        while low < high {
            let middle = (low + high) / 2
            if order.areInOrder(key, chunks[middle][0].key) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low
    }

    /// The first position in a chunk whose key does not come before a key.
    private func firstPosition(in chunk: Int, notBefore key: [StoreValue]) -> Int {
        var (low, high) = (0, chunks[chunk].count)
        while low < high {
            let middle = (low + high) / 2
            if order.areInOrder(chunks[chunk][middle].key, key) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}
