import Locks
import Synchronization

/// Who waits for whom, in all locators of the process.
///
/// Whoever is about to wait enters that here first. If the one that it would wait for already waits
/// for it, by way of others or not, it gets a cycle instead. Entering and searching are one step
/// under a lock, so of two that enter a cycle from both ends one comes second and finds it. Only
/// what is being made at this moment is in the graph, and nothing that is ready is looked for in it.
enum WaitGraph {
    fileprivate struct Edges: Sendable {
        /// For each node that waits, those that it waits for.
        var targets: [ObjectIdentifier: [WaitNode]] = [:]
    }

    private static let edges = Lock(Edges())

    /// Waits while `body` runs; whoever belongs to nothing that others wait for just runs it.
    static func wait<Value>(
        _ waiter: WaitNode?, for target: WaitNode,
        _ body: () throws(ServiceLocatorError) -> Value
    ) throws(ServiceLocatorError) -> Value {
        guard let waiter else { return try body() }
        try enter(waiter, target)
        defer { leave(waiter, target) }
        return try body()
    }

    /// As above, for tasks.
    static func wait<Value>(
        _ waiter: WaitNode?, for target: WaitNode, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Value
    ) async throws -> Value {
        guard let waiter else { return try await body() }
        try enter(waiter, target)
        defer { leave(waiter, target) }
        return try await body()
    }

    static func enter(_ waiter: WaitNode, _ target: WaitNode) throws(ServiceLocatorError) {
        let path: [WaitNode]? = edges.withLock {
            if let path = $0.path(from: target, to: waiter) { return path }
            $0.targets[ObjectIdentifier(waiter), default: []].append(target)
            return nil
        }
        guard let path else { return }
        let round = [waiter] + path
        throw .cycle(
            round.map(\.label), places: round.dropLast().compactMap { $0.registration?.place })
    }

    static func leave(_ waiter: WaitNode, _ target: WaitNode) {
        edges.withLock {
            let id = ObjectIdentifier(waiter)
            guard var targets = $0.targets[id],
                let index = targets.firstIndex(where: { $0 === target })
            else { return }
            targets.remove(at: index)
            $0.targets[id] = targets.isEmpty ? nil : targets
        }
    }

    /// Forgets all that a node waits for.
    static func leaveAll(_ waiter: WaitNode) {
        edges.withLock { _ = $0.targets.removeValue(forKey: ObjectIdentifier(waiter)) }
    }
}

extension WaitGraph.Edges {
    /// The nodes from one to another along the edges, both included.
    fileprivate func path(from start: WaitNode, to end: WaitNode) -> [WaitNode]? {
        var visited: Set<ObjectIdentifier> = []
        func search(_ node: WaitNode) -> [WaitNode]? {
            if node === end { return [node] }
            guard visited.insert(ObjectIdentifier(node)).inserted else { return nil }
            for next in targets[ObjectIdentifier(node)] ?? [] {
                if let rest = search(next) { return [node] + rest }
            }
            return nil
        }
        return search(start)
    }
}
