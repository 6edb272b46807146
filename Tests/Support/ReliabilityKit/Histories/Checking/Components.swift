extension DependencyGraph {
    /// The sets of more than one node that all lead to each other.
    ///
    /// Tarjan, "Depth-first search and linear graph algorithms" (1972), with a stack of its own in
    /// place of recursion.
    func components() -> [[Int]] {
        var search = ComponentSearch(count: edges.count)
        for node in edges.indices where search.order[node] < 0 { search.run(from: node, edges) }
        return search.components
    }
}

private struct ComponentSearch {
    /// In which order the nodes were found; -1 before that.
    var order: [Int]
    /// The earliest node that each leads back to.
    var low: [Int]
    var isOnPath: [Bool]
    var path: [Int] = []
    var components: [[Int]] = []
    private var count = 0

    init(count: Int) {
        order = Array(repeating: -1, count: count)
        low = order
        isOnPath = Array(repeating: false, count: count)
    }

    mutating func run(from root: Int, _ edges: [[DependencyGraph.Edge]]) {
        var stack = [(node: root, next: 0)]
        enter(root)
        while let (node, next) = stack.last {
            if next < edges[node].count {
                stack[stack.count - 1].next = next + 1
                let target = edges[node][next].target
                if order[target] < 0 {
                    enter(target)
                    stack.append((target, 0))
                } else if isOnPath[target] {
                    low[node] = min(low[node], order[target])
                }
            } else {
                stack.removeLast()
                if let parent = stack.last?.node { low[parent] = min(low[parent], low[node]) }
                if low[node] == order[node] { leave(node) }
            }
        }
    }

    private mutating func enter(_ node: Int) {
        order[node] = count
        low[node] = count
        count += 1
        path.append(node)
        isOnPath[node] = true
    }

    private mutating func leave(_ node: Int) {
        var component: [Int] = []
        while let last = path.popLast() {
            isOnPath[last] = false
            component.append(last)
            if last == node { break }
        }
        if component.count > 1 { components.append(component) }
    }
}
