/// The construction of one service, created by the caller that starts it.
final class Construction: Sendable {
    let registration: Registration
    /// The scope that the service resolves its dependencies from.
    let home: ServiceLocator
    let node: WaitNode
    /// The override that the construction runs under: it sees these stand-ins and no others.
    private let overrides: OverrideSet?
    /// Stores the instance; nil for a transient service, which is not stored.
    private let keeper: (any InstanceKeeper)?
    private let promise = Promise<ErasedBox>()
    private let path: [String]

    init(
        _ registration: Registration, home: ServiceLocator, parent: WaitNode?,
        overrides: OverrideSet?, keeper: (any InstanceKeeper)?
    ) {
        self.registration = registration
        self.home = home
        self.overrides = overrides
        self.keeper = keeper
        path = WaitNode.path(to: registration.key)
        node = WaitNode(
            registration.key.description, parent: parent, registration: registration, home: home)
    }

    var isAsynchronous: Bool { registration.isAsynchronous }

    /// Whether other callers can wait for this construction.
    var isShared: Bool { keeper != nil }

    /// Makes the service on this thread and resumes all waiting callers.
    func runNow() throws(ServiceLocatorError) -> ErasedBox {
        guard case .lazy(let make) = registration.source else {
            throw .asynchronous(registration, path: path)
        }
        Attention.begin()
        defer { Attention.end() }
        let result = Result {
            try OverrideSet.$current.withValue(overrides) {
                try WaitNode.$current.withValue(node) { try make(home) }
            }
        }
        return try finish(result)
    }

    /// Makes the service in this task.
    func run(isolation: isolated (any Actor)? = #isolation) async throws -> ErasedBox {
        guard case .asynchronous(let make) = registration.source else { return try runNow() }
        Attention.begin()
        defer { Attention.end() }
        let result: Result<ErasedBox, any Error>
        do {
            result = .success(
                try await OverrideSet.$current.withValue(overrides) {
                    try await WaitNode.$current.withValue(node) { try await make(home) }
                })
        } catch {
            result = .failure(error)
        }
        return try finish(result)
    }

    /// Makes the service in a task of its own, which the cancellation of a caller does not
    /// cancel.
    func launch() {
        Task { _ = try? await run() }  // Waiting callers get the error from the promise.
    }

    func wait() throws(ServiceLocatorError) -> ErasedBox { try promise.wait() }

    func value(isolation: isolated (any Actor)? = #isolation) async throws -> ErasedBox {
        try await promise.value()
    }

    private func finish(
        _ result: Result<ErasedBox, any Error>
    ) throws(ServiceLocatorError) -> ErasedBox {
        node.finish()
        let named = result.mapError { explain($0) }
        let outcome = keeper?.finish(self, named) ?? named
        promise.complete(outcome)
        return try outcome.get()
    }

    /// Passes a locator's error on, with this service in its path; any other error becomes the
    /// cause.
    private func explain(_ error: any Error) -> ServiceLocatorError {
        guard var error = error as? ServiceLocatorError else {
            return .failed(registration, error, path: path)
        }
        if error.code != .cycle, !error.path.contains(registration.key.description) {
            error.path = path + error.path
        }
        return error
    }
}
