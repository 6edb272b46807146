import Synchronization

/// A node of the wait-for graph: the construction of a service, or the closing of a scope.
final class WaitNode: Sendable {
    /// The innermost node that the task works on.
    @TaskLocal static var current: WaitNode?

    let label: String
    /// The node that the same task worked on when this one began.
    let parent: WaitNode?
    /// The registration whose service is being made; nil for the closing of a scope.
    let registration: Registration?
    /// The scope that the service is made in.
    let home: ObjectIdentifier
    private let done = Atomic(false)

    init(
        _ label: String, parent: WaitNode?, registration: Registration?, home: ServiceLocator
    ) {
        self.label = label
        self.parent = parent
        self.registration = registration
        self.home = ObjectIdentifier(home)
    }

    var isDone: Bool { done.load(ordering: .acquiring) }

    func finish() { done.store(true, ordering: .releasing) }

    /// The innermost node that is still in progress.
    ///
    /// A task that was started during a construction, and outlives it, no longer belongs to
    /// it.
    static var active: WaitNode? {
        var node = current
        while let candidate = node, candidate.isDone { node = candidate.parent }
        return node
    }

    /// The node's ancestors and the node itself, the outermost first.
    var chain: [WaitNode] {
        var nodes: [WaitNode] = []
        var node: WaitNode? = self
        while let current = node {
            if !current.isDone { nodes.append(current) }
            node = current.parent
        }
        return nodes.reversed()
    }

    /// The path from the service that was resolved first to one that the current node needs.
    static func path(to key: ServiceKey) -> [String] {
        (active?.chain.map(\.label) ?? []) + [key.description]
    }
}
