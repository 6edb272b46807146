/// Operations each of which must have run before the next, and the last before the first.
struct Cycle {
    struct Step {
        let operation: Int
        /// Why the operation comes before that of the next step.
        let reason: DependencyGraph.Reason
    }

    let steps: [Step]

    /// The rule that the cycle breaks, and its steps in words.
    func violation(_ history: [HistoryOperation]) -> HistoryViolation {
        var parts: [String] = []
        for (position, step) in steps.enumerated() {
            let next = history[steps[(position + 1) % steps.count].operation]
            parts.append(
                "\(history[step.operation]) comes before \(next), \(Self.text(step.reason))")
        }
        return HistoryViolation(rule, "\(parts.joined(separator: "; ")).")
    }

    private var rule: HistoryViolation.Rule {
        if steps.contains(where: { $0.reason == .returnedBefore }) { return .realTime }
        let missed = steps.count { if case .missed = $0.reason { true } else { false } }
        switch missed {
        case 0:
            let readsFlow = steps.contains { if case .read = $0.reason { true } else { false } }
            return readsFlow ? .circularFlow : .writeCycle
        case 1: return .readSkew
        default: return .writeSkew
        }
    }

    private static func text(_ reason: DependencyGraph.Reason) -> String {
        switch reason {
        case .overwrote(let key): "which wrote to \(key) after it"
        case .read(let key, let value): "which read its \(value) from \(key)"
        case .missed(let key, let value): "whose \(value) in \(key) it did not see"
        case .returnedBefore: "which was called after it had returned"
        }
    }
}

extension DependencyGraph {
    /// A cycle with as few operations as possible, preferably one that needs no order of calls.
    func shortestCycle() -> Cycle? {
        guard let component = components().first else { return nil }
        let dependencies = withoutCalls()
        if let inner = dependencies.components().first {
            return dependencies.shortestCycle(in: inner)
        }
        return shortestCycle(in: component)
    }

    private func shortestCycle(in component: [Int]) -> Cycle? {
        let members = Set(component)
        return component.filter { $0 < operationCount }.sorted().prefix(100)
            .compactMap { cycle(through: $0, members) }
            .min { $0.steps.count < $1.steps.count }
    }

    /// Walks from a node, nearest operations first, until an edge leads back to it.
    private func cycle(through start: Int, _ members: Set<Int>) -> Cycle? {
        var origin: [Int: (node: Int, reason: Reason)] = [:]
        var level = [start]
        while !level.isEmpty {
            var next: [Int] = []
            var position = 0
            while position < level.count {
                let node = level[position]
                position += 1
                for edge in edges[node] where members.contains(edge.target) {
                    if edge.target == start {
                        return cycle(start, origin, last: (node, edge.reason))
                    }
                    guard origin[edge.target] == nil else { continue }
                    origin[edge.target] = (node, edge.reason)
                    // A return is no operation, and costs no step.
                    if edge.target < operationCount {
                        next.append(edge.target)
                    } else {
                        level.append(edge.target)
                    }
                }
            }
            level = next
        }
        return nil
    }

    private func cycle(
        _ start: Int, _ origin: [Int: (node: Int, reason: Reason)],
        last: (node: Int, reason: Reason)
    ) -> Cycle {
        var steps: [Cycle.Step] = []
        var (node, reason) = last
        while true {
            if node < operationCount {
                steps.append(Cycle.Step(operation: node, reason: reason))
            }
            guard node != start, let before = origin[node] else { break }
            (node, reason) = before
        }
        return Cycle(steps: steps.reversed())
    }
}
