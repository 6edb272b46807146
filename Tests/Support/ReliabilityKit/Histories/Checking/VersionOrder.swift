/// The values of one key in the order in which they came about.
struct VersionOrder {
    private(set) var values: [Int]
    private var positions: [Int: Int] = [:]

    init(_ values: [Int]) {
        self.values = values
        positions.reserveCapacity(values.count)
        for (position, value) in values.enumerated() { positions[value] = position }
    }

    /// How many versions lie behind a view of the key, or `nil` if it is none of this order.
    func version(of view: View) -> Int? {
        switch view.key {
        case .list:
            let seen = view.values
            return seen.count <= values.count && Array(values[..<seen.count]) == seen
                ? seen.count : nil
        case .register:
            guard let value = view.values.first else { return nil }
            return value == 0 ? 0 : positions[value].map { $0 + 1 }
        }
    }

    func contains(_ value: Int) -> Bool { positions[value] != nil }
}

/// Infers the order of the versions of each key.
///
/// A list shows it: the longest read holds all values in order. The values of a register follow
/// each other where an operation reads before it writes; where one writes without reading, its
/// place among the writes tells.
struct VersionOrders {
    private(set) var orders: [HistoryKey: VersionOrder] = [:]
    private(set) var violations: [HistoryViolation] = []

    init(_ history: [HistoryOperation], _ writers: WriterTable, _ views: [View]) {
        var byKey: [HistoryKey: [View]] = [:]
        for view in views { byKey[view.key, default: []].append(view) }
        var installed: [HistoryKey: [Int]] = [:]
        for (value, entry) in writers.entries where !entry.isUndone && !entry.isReplaced {
            if history[entry.operation].outcome != .notDone {
                installed[entry.key, default: []].append(value)
            }
        }
        for key in Set(byKey.keys).union(installed.keys) {
            let views = byKey[key] ?? []
            switch key {
            case .list:
                let longest = views.max { $0.values.count < $1.values.count }
                orders[key] = VersionOrder(longest?.values ?? [])
            case .register:
                let values = installed[key] ?? []
                orders[key] = VersionOrder(
                    byPlace(values, history, writers) ?? chain(key, values, history, writers, views)
                )
            }
        }
    }

    private func byPlace(
        _ values: [Int], _ history: [HistoryOperation], _ writers: WriterTable
    ) -> [Int]? {
        var placed: [(place: Int, value: Int)] = []
        for value in values {
            guard let writer = writers.entries[value]?.operation,
                let place = history[writer].place
            else { return nil }
            placed.append((place, value))
        }
        return placed.sorted { $0.place < $1.place }.map(\.value)
    }

    /// The values from 0 on, each with the one that replaced it.
    private mutating func chain(
        _ key: HistoryKey, _ values: [Int], _ history: [HistoryOperation], _ writers: WriterTable,
        _ views: [View]
    ) -> [Int] {
        var seen: [Int: Int] = [:]
        for view in views { seen[view.operation] = view.values.first }
        var next: [Int: Int] = [:]
        for value in values.sorted() {
            guard let writer = writers.entries[value]?.operation, let before = seen[writer] else {
                continue
            }
            guard let rival = next.updateValue(value, forKey: before),
                let other = writers.entries[rival]?.operation
            else { continue }
            violations.append(
                HistoryViolation(
                    .lostUpdate,
                    "\(history[other]) and \(history[writer]) both read \(before) from \(key), and replaced it by \(rival) and \(value)."
                ))
        }
        var order: [Int] = []
        var value = 0
        while let following = next[value], order.count < values.count {
            order.append(following)
            value = following
        }
        return order
    }
}
