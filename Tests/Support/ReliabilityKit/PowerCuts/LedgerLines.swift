/// The items of a ledger as the lines of ``Ledger/query``'s answer, in the order of their ids.
///
/// They stay sorted while a ledger is replayed: one write changes a few of them, and sorting all
/// of them after each write took most of the time of the simulations.
struct LedgerLines {
    private var ids: [String] = []
    /// The lines of the ids, in the same order.
    private var lines: [String] = []

    /// All lines, one after the other.
    var text: String {
        var text = ""
        for line in lines { text += line }
        return text
    }

    func has(_ id: String) -> Bool {
        let position = position(of: id)
        return position < ids.count && ids[position] == id
    }

    /// Adds an item, or replaces the one with its id.
    mutating func set(_ id: String, _ sequence: Int, _ text: String) {
        let position = position(of: id)
        let line = Self.line(id, sequence, text)
        if position < ids.count, ids[position] == id {
            lines[position] = line
        } else {
            ids.insert(id, at: position)
            lines.insert(line, at: position)
        }
    }

    /// Removes an item, if it is there.
    mutating func remove(_ id: String) {
        let position = position(of: id)
        guard position < ids.count, ids[position] == id else { return }
        ids.remove(at: position)
        lines.remove(at: position)
    }

    static func line(_ id: String, _ sequence: Int, _ text: String) -> String {
        "\(id) \(sequence) \(text)\n"
    }

    /// Where an id is or belongs.
    ///
    /// Ids are ASCII, whose order is the same for Swift as for SQLite.
    private func position(of id: String) -> Int {
        var low = 0
        var high = ids.count
        while low < high {
            let middle = (low + high) / 2
            if ids[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
