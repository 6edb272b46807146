import SkiathosLocks
import Synchronization

/// The wait-for graph of all locators of the process, in which deadlocks are found as cycles.
///
/// A caller that is about to wait enters its edge here first. If the target already waits for
/// the caller, directly or through others, the caller gets a `cycle` error instead. Entering
/// and searching are one step under a lock: of two callers that close a cycle from both ends,
/// the second finds it. The graph contains only constructions and closings in progress. A
/// ready service is never looked up in it.
enum WaitGraph {
    fileprivate struct Edges: Sendable {
        /// The nodes that each waiting node waits for.
        var targets: [ObjectIdentifier: [WaitNode]] = [:]
    }

    private static let edges = Lock(Edges())

    /// Enters the edge while `body` runs.
    ///
    /// A caller without a node of its own runs `body` only.
    static func wait<Value>(
        _ waiter: WaitNode?, for target: WaitNode,
        _ body: () throws(ServiceLocatorError) -> Value
    ) throws(ServiceLocatorError) -> Value {
        guard let waiter else { return try body() }
        try enter(waiter, target)
        defer { leave(waiter, target) }
        return try body()
    }

    /// The same for a body that suspends.
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

    /// Removes all edges from a node.
    static func leaveAll(_ waiter: WaitNode) {
        edges.withLock { _ = $0.targets.removeValue(forKey: ObjectIdentifier(waiter)) }
    }
}

extension WaitGraph.Edges {
    /// The nodes on a path between two nodes, both included.
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
