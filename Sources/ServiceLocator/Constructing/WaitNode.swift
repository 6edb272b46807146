import Synchronization

/// Something that others can wait for, and that can itself wait: the making of a service, or the
/// closing of a scope.
final class WaitNode: Sendable {
    /// The innermost of them that the task is busy with.
    @TaskLocal static var current: WaitNode?

    let label: String
    /// What was made or closed when this began, in the same task.
    let parent: WaitNode?
    /// What is being made, if not a scope being closed.
    let registration: Registration?
    /// The scope that it is made in.
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

    /// The innermost that goes on still.
    ///
    /// A task that was started while a service was made, and goes on afterwards, has nothing to do
    /// with the making any more.
    static var active: WaitNode? {
        var node = current
        while let candidate = node, candidate.isDone { node = candidate.parent }
        return node
    }

    /// This and what it is a part of, from the outside to the inside.
    var chain: [WaitNode] {
        var nodes: [WaitNode] = []
        var node: WaitNode? = self
        while let current = node {
            if !current.isDone { nodes.append(current) }
            node = current.parent
        }
        return nodes.reversed()
    }

    /// The path from the first that was asked for to a service that this needs.
    static func path(to key: ServiceKey) -> [String] {
        (active?.chain.map(\.label) ?? []) + [key.description]
    }
}
