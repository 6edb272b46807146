/// Runs the writes of a history again in the order of the places that they took, against plain
/// arrays, and compares what every operation saw.
///
/// It is simpler and stricter than looking for cycles, but needs histories whose writes count
/// themselves. Others are passed over.
struct SerialOracle {
    private var lists: [HistoryKey: [Int]] = [:]
    private var violations: [HistoryViolation] = []

    static func violations(of history: [HistoryOperation]) -> [HistoryViolation] {
        var oracle = SerialOracle()
        oracle.checkOrderOfCalls(history)
        oracle.replay(history)
        return oracle.violations
    }

    private mutating func replay(_ history: [HistoryOperation]) {
        let placed = history.filter { $0.place != nil && $0.outcome != .unknown }
            .sorted { Self.rank($0) < Self.rank($1) }
        var last = 0
        for operation in placed {
            guard let place = operation.place else { continue }
            if operation.takesPlace, operation.outcome == .done {
                guard place == last + 1 else {
                    return note("\(operation) took place \(place), and the last one was \(last).")
                }
                last = place
                if !run(operation, keeping: true) { return }
            } else {
                guard place == last else {
                    return note("\(operation) saw place \(place), which no operation took.")
                }
                if !run(operation, keeping: false) { return }
            }
        }
    }

    /// Behind the write of a place come those that saw it.
    private static func rank(_ operation: HistoryOperation) -> Int {
        let place = operation.place ?? 0
        return place * 2 + (operation.takesPlace && operation.outcome == .done ? 0 : 1)
    }

    /// Runs the steps; returns whether all that was read is right.
    private mutating func run(_ operation: HistoryOperation, keeping: Bool) -> Bool {
        let before = keeping ? [:] : lists
        defer { if !keeping { lists = before } }
        for access in operation.accesses {
            switch access {
            case .undone: continue
            case .write(let key, let value):
                if case .register = key {
                    lists[key] = [value]
                } else {
                    lists[key, default: []].append(value)
                }
            case .read(let key, let values):
                let expected: [Int]
                if case .register = key {
                    expected = lists[key] ?? [0]
                } else {
                    expected = lists[key] ?? []
                }
                guard values == expected else {
                    note(
                        "\(operation) read \(values) from \(key), where the writes before it had left \(expected)."
                    )
                    return false
                }
            }
        }
        return true
    }

    /// An operation sees every place that was taken or seen by one that returned before its call.
    private mutating func checkOrderOfCalls(_ history: [HistoryOperation]) {
        let placed = history.filter { $0.place != nil }
        let returned = placed.filter { $0.outcome == .done }.sorted { $0.returned < $1.returned }
        var position = 0
        var latest: HistoryOperation?
        for operation in placed.sorted(by: { $0.called < $1.called }) {
            while position < returned.count, returned[position].returned < operation.called {
                if (returned[position].place ?? 0) > (latest?.place ?? 0) {
                    latest = returned[position]
                }
                position += 1
            }
            guard let latest, let reached = latest.place, let place = operation.place else {
                continue
            }
            let seen = operation.takesPlace && operation.outcome == .done ? place - 1 : place
            if seen < reached {
                violations.append(
                    HistoryViolation(
                        .realTime,
                        "\(operation) saw the writes up to place \(seen), and was called after \(latest) had returned, which knew of place \(reached)."
                    ))
                return
            }
        }
    }

    private mutating func note(_ text: String) {
        violations.append(HistoryViolation(.serialOrder, text))
    }
}
