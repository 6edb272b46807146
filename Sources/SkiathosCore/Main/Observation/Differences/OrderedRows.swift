import SkiathosStore

/// The rows of a list in order, of which a few can change without touching the others.
///
/// They lie in chunks, so that finding, inserting and removing a row takes O(√n).
struct OrderedRows<E: Entity>: Sendable {
    private struct Entry: Sendable {
        let key: [StoreValue]
        let row: E
    }

    /// What one row has become.
    enum Update: Sendable {
        case present(E)
        case absent
    }

    /// A chunk with more rows is split in two.
    private static var chunkLimit: Int { 1_024 }

    private let order: RowOrder
    /// The rows in order; no chunk is empty.
    private var chunks: [[Entry]] = []
    /// The sort key of each row.
    private var keys: [E.ID: [StoreValue]] = [:]

    /// How many rows there are.
    var count: Int { keys.count }

    init(order: RowOrder) { self.order = order }

    /// All rows, in order.
    var rows: [E] { chunks.flatMap { $0.map(\.row) } }

    /// Replaces all rows.
    mutating func replace(with rows: [E]) throws -> ListDifference<E> {
        let old = self.rows
        var entries = try rows.map { row in
            Entry(key: order.key(of: try row.storedValues()), row: row)
        }
        entries.sort { order.areInOrder($0.key, $1.key) }
        keys = Dictionary(
            entries.map { ($0.row.id, $0.key) }, uniquingKeysWith: { first, _ in first })
        let size = Self.chunkLimit / 2
        chunks = stride(from: 0, to: entries.count, by: size).map { start in
            Array(entries[start..<min(start + size, entries.count)])
        }
        return ListDifference(from: old, to: entries.map(\.row))
    }

    /// Changes some rows, each ID once.
    mutating func apply(_ updates: [E.ID: Update]) throws -> ListDifference<E> {
        let oldCount = count
        var leaving: [(index: Int, entry: Entry)] = []
        var arriving: [Entry] = []
        for (id, update) in updates {
            let old = keys[id].flatMap { place(of: $0) }
            switch update {
            case .absent: if let old { leaving.append((old.index, old.entry)) }
            case .present(let row):
                if let old, row.changedColumns(from: old.entry.row).isEmpty { continue }
                if let old { leaving.append((old.index, old.entry)) }
                arriving.append(Entry(key: order.key(of: try row.storedValues()), row: row))
            }
        }
        leaving.sort { $0.index < $1.index }
        arriving.sort { order.areInOrder($0.key, $1.key) }
        for (_, entry) in leaving { remove(entry) }
        for entry in arriving { insert(entry) }
        let places = arriving.map { entry in (index: place(of: entry.key)?.index ?? 0, entry: entry)
        }
        return difference(oldCount, leaving, places)
    }

    /// The difference that rows make which left their places and which came to others, both in
    /// order.
    private func difference(
        _ oldCount: Int, _ leaving: [(index: Int, entry: Entry)],
        _ arriving: [(index: Int, entry: Entry)]
    ) -> ListDifference<E> {
        /// The index of a row among those that have neither left nor come.
        func rank(_ places: [(index: Int, entry: Entry)]) -> [E.ID: Int] {
            var ranks: [E.ID: Int] = [:]
            for (number, place) in places.enumerated() {
                ranks[place.entry.row.id] = place.index - number
            }
            return ranks
        }
        let oldRanks = rank(leaving)
        let newRanks = rank(arriving)
        let oldIndices = Dictionary(
            leaving.map { ($0.entry.row.id, $0.index) }, uniquingKeysWith: { first, _ in first })
        var inserted: [ListDifference<E>.Row] = []
        var updated: [ListDifference<E>.Row] = []
        var moved: [ListDifference<E>.Move] = []
        // Those that lie between the same other rows as before, and may have changed places with each
        // other.
        var near: [(old: Int, new: Int, id: E.ID)] = []
        for (index, entry) in arriving {
            let id = entry.row.id
            let row = ListDifference<E>.Row(index: index, element: entry.row)
            guard let old = oldIndices[id] else {
                inserted.append(row)
                continue
            }
            updated.append(row)
            if oldRanks[id] == newRanks[id] {
                near.append((old, index, id))
            } else {
                moved.append(ListDifference<E>.Move(from: old, to: index, id: id))
            }
        }
        moved += ListDifference<E>.moves(near)
        moved.sort { $0.to < $1.to }
        let removed = leaving.filter { newRanks[$0.entry.row.id] == nil }
            .map { ListDifference<E>.Removal(index: $0.index, id: $0.entry.row.id) }
        return ListDifference(
            oldCount: oldCount, newCount: count, removed: removed, inserted: inserted,
            moved: moved, updated: updated)
    }

    private mutating func insert(_ entry: Entry) {
        keys[entry.row.id] = entry.key
        guard !chunks.isEmpty else {
            chunks = [[entry]]
            return
        }
        let chunk = max(0, firstChunk(after: entry.key) - 1)
        let position = firstPosition(in: chunk, notBefore: entry.key)
        chunks[chunk].insert(entry, at: position)
        if chunks[chunk].count > Self.chunkLimit {
            let half = chunks[chunk].count / 2
            let rest = Array(chunks[chunk][half...])
            chunks[chunk].removeLast(chunks[chunk].count - half)
            chunks.insert(rest, at: chunk + 1)
        }
    }

    private mutating func remove(_ entry: Entry) {
        keys[entry.row.id] = nil
        let chunk = max(0, firstChunk(after: entry.key) - 1)
        chunks[chunk].remove(at: firstPosition(in: chunk, notBefore: entry.key))
        if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
    }

    /// The row with a key, and its index.
    private func place(of key: [StoreValue]) -> (index: Int, entry: Entry)? {
        let chunk = firstChunk(after: key) - 1
        guard chunk >= 0 else { return nil }
        let position = firstPosition(in: chunk, notBefore: key)
        guard position < chunks[chunk].count else { return nil }
        let before = chunks[..<chunk].reduce(0) { $0 + $1.count }
        return (before + position, chunks[chunk][position])
    }

    /// The first chunk whose rows all come after a key.
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

    /// The first position in a chunk whose row does not come before a key.
    private func firstPosition(in chunk: Int, notBefore key: [StoreValue]) -> Int {
        let entries = chunks[chunk]
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if order.areInOrder(entries[middle].key, key) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}
