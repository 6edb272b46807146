/// The closing of one scope, which runs in a task of its own once it has begun.
final class Closing: Sendable {
    let node: WaitNode
    private let begun = Promise<Void>()
    private let promise = Promise<Void>()

    init(_ scope: ServiceLocator) {
        node = WaitNode(
            "closing of '\(scope.name)'", parent: nil, registration: nil, home: scope)
    }

    /// Enters the nodes that the closing waits for.
    ///
    /// No caller waits for the closing before that, so this cannot close a cycle.
    func begin(waitingFor nodes: [WaitNode]) {
        for other in nodes { try? WaitGraph.enter(node, other) }
        begun.complete(.success(()))
    }

    /// Blocks until another thread has entered all nodes, which runs no user code.
    func waitUntilBegun() { _ = try? begun.wait() }

    func finish(_ problems: [ServiceLocatorError], of name: String) {
        node.finish()
        WaitGraph.leaveAll(node)
        promise.complete(
            problems.isEmpty ? .success(()) : .failure(.closeFailed("scope '\(name)'", problems)))
    }

    func value(isolation: isolated (any Actor)? = #isolation) async throws {
        try await promise.value()
    }

    /// The failures; waits until the closing is done.
    func problems() async -> [ServiceLocatorError] {
        do {
            try await value()
            return []
        } catch {
            return (error as? ServiceLocatorError)?.problems ?? []
        }
    }
}
