import SkiathosLocks

/// The closing of one scope, which goes on in a task of its own once it has begun.
final class Closing: Sendable {
    let node: WaitNode
    private let begun = Promise<Void, ServiceLocatorError>()
    private let promise = Promise<Void, ServiceLocatorError>()

    init(_ scope: ServiceLocator) {
        node = WaitNode(
            "closing of '\(scope.name)'", parent: nil, registration: nil, home: scope)
    }

    /// Enters what the closing waits for.
    ///
    /// Nothing waits for the closing before that, so this cannot close a cycle.
    func begin(waitingFor nodes: [WaitNode]) {
        for other in nodes { try? WaitGraph.enter(node, other) }
        begun.complete(.success(()))
    }

    /// Blocks until another thread has entered everything, which runs no code of the user.
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

    /// What failed, when it is done.
    func problems() async -> [ServiceLocatorError] {
        do {
            try await value()
            return []
        } catch {
            return (error as? ServiceLocatorError)?.problems ?? []
        }
    }
}
