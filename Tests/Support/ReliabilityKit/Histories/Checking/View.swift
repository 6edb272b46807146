/// What one operation saw of one key from outside, before anything that it wrote there itself.
struct View {
    let operation: Int
    let key: HistoryKey
    let values: [Int]
}

/// Takes an operation's own writes out of what it read.
struct ViewCollector {
    private(set) var views: [View] = []
    private(set) var violations: [HistoryViolation] = []

    /// Collects the views of an operation, and checks that they fit each other.
    mutating func collect(_ operation: HistoryOperation, at index: Int) {
        var own: [HistoryKey: [Int]] = [:]
        var seen: [HistoryKey: [Int]] = [:]
        for access in operation.accesses {
            switch access {
            case .undone: continue
            case .write(let key, let value): own[key, default: []].append(value)
            case .read(let key, let values):
                guard let outside = Self.outside(key, values, own: own[key] ?? []) else {
                    note(
                        operation,
                        "read \(values) from \(key), after it had written \(own[key] ?? [])")
                    continue
                }
                if case .register = key, own[key] != nil { continue }
                guard let before = seen[key] else {
                    seen[key] = outside
                    views.append(View(operation: index, key: key, values: outside))
                    continue
                }
                if before != outside {
                    note(operation, "read \(key) as \(before), and then as \(outside)")
                }
            }
        }
    }

    /// The values without the operation's own, or `nil` if these are not where they belong.
    private static func outside(_ key: HistoryKey, _ values: [Int], own: [Int]) -> [Int]? {
        guard !own.isEmpty else { return values }
        switch key {
        case .register: return values == [own[own.count - 1]] ? [] : nil
        case .list:
            let count = values.count - own.count
            guard count >= 0, Array(values[count...]) == own else { return nil }
            return Array(values[..<count])
        }
    }

    private mutating func note(_ operation: HistoryOperation, _ text: String) {
        violations.append(HistoryViolation(.inconsistentView, "\(operation) \(text)."))
    }
}
