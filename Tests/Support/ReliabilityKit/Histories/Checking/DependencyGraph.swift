/// Which operations must have run before which others.
///
/// Beside the operations, there is a node for each return: an operation leads to its own return, a
/// return to the next one, and the last return before a call to the called operation. So the order
/// of calls takes one edge for each of these, and not one for each pair of operations.
struct DependencyGraph {
    enum Reason: Equatable {
        /// The second replaced or followed a value of the first.
        case overwrote(HistoryKey)
        /// The second read a value of the first.
        case read(HistoryKey, Int)
        /// The first did not see what the second wrote.
        case missed(HistoryKey, Int)
        /// The first had returned when the second was called.
        case returnedBefore
    }

    struct Edge {
        let target: Int
        let reason: Reason
    }

    let operationCount: Int
    private(set) var edges: [[Edge]]

    init(_ history: [HistoryOperation]) {
        operationCount = history.count
        let returns = history.indices.filter { history[$0].returned < .max }
            .sorted { history[$0].returned < history[$1].returned }
        edges = Array(repeating: [], count: history.count + returns.count)
        for (position, operation) in returns.enumerated() {
            let node = operationCount + position
            add(operation, node, .returnedBefore)
            if position + 1 < returns.count { add(node, node + 1, .returnedBefore) }
        }
        var returned = 0
        for operation in history.indices.sorted(by: { history[$0].called < history[$1].called }) {
            while returned < returns.count,
                history[returns[returned]].returned < history[operation].called
            {
                returned += 1
            }
            if returned > 0 { add(operationCount + returned - 1, operation, .returnedBefore) }
        }
    }

    /// Adds that the writers of a key's versions come in their order.
    mutating func addOverwriting(_ key: HistoryKey, _ order: VersionOrder, _ writers: WriterTable) {
        guard var last = order.values.first.flatMap({ writers.entries[$0]?.operation }) else {
            return
        }
        for value in order.values.dropFirst() {
            guard let writer = writers.entries[value]?.operation else { continue }
            add(last, writer, .overwrote(key))
            last = writer
        }
    }

    /// Adds that a reader comes after what it saw, and before what it did not see.
    mutating func add(
        _ view: View, _ version: Int, _ order: VersionOrder, _ writers: WriterTable
    ) {
        if version > 0, let writer = writers.entries[order.values[version - 1]]?.operation {
            add(writer, view.operation, .read(view.key, order.values[version - 1]))
        }
        if version < order.values.count,
            let writer = writers.entries[order.values[version]]?.operation
        {
            add(view.operation, writer, .missed(view.key, order.values[version]))
        }
    }

    private mutating func add(_ source: Int, _ target: Int, _ reason: Reason) {
        guard source != target else { return }
        edges[source].append(Edge(target: target, reason: reason))
    }

    /// The same without the order of calls.
    func withoutCalls() -> DependencyGraph {
        var graph = self
        graph.edges = edges.prefix(operationCount).map {
            $0.filter { $0.reason != .returnedBefore }
        }
        return graph
    }
}
