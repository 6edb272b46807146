/// Who wrote each value of a history.
struct WriterTable {
    struct Entry {
        /// The position of the operation in the history.
        let operation: Int
        let key: HistoryKey
        /// Whether it was rolled back inside its operation.
        let isUndone: Bool
        /// Whether the operation wrote the key again later.
        var isReplaced = false
    }

    private(set) var entries: [Int: Entry] = [:]

    init(_ operations: [HistoryOperation]) {
        entries.reserveCapacity(operations.count * 2)
        for (index, operation) in operations.enumerated() {
            var latest: [HistoryKey: Int] = [:]
            for access in operation.accesses {
                switch access {
                case .read: continue
                case .undone(let key, let value):
                    add(value, Entry(operation: index, key: key, isUndone: true))
                case .write(let key, let value):
                    if let earlier = latest.updateValue(value, forKey: key) {
                        entries[earlier]?.isReplaced = true
                    }
                    add(value, Entry(operation: index, key: key, isUndone: false))
                }
            }
        }
    }

    private mutating func add(_ value: Int, _ entry: Entry) {
        precondition(
            value != 0 && entries.updateValue(entry, forKey: value) == nil,
            "A history has to write a value other than 0, and once: \(value).")
    }
}
