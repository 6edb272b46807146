import SkiathosLocks

/// The construction of one service, from the call that begins it.
final class Construction: Sendable {
    let registration: Registration
    /// The scope whose services it is made with.
    let home: ServiceLocator
    let node: WaitNode
    /// What is made under an override sees the override; anything else must not.
    private let overrides: OverrideSet?
    /// Keeps the instance; `nil` for transient services.
    private let keeper: (any InstanceKeeper)?
    private let promise = Promise<ErasedBox, ServiceLocatorError>()
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

    /// Whether others may come to wait for it.
    var isShared: Bool { keeper != nil }

    /// Makes the service on this thread, and resumes everything that waits for it.
    func runNow() throws(ServiceLocatorError) -> ErasedBox {
        guard case .lazy(let make) = registration.source else {
            throw .asynchronous(registration, path: path)
        }
        TaskLocalsInUse.begin()
        defer { TaskLocalsInUse.end() }
        let result = Result {
            try OverrideSet.$current.withValue(overrides) {
                try WaitNode.$current.withValue(node) { try make(home) }
            }
        }
        return try finish(result)
    }

    /// Makes a service in this task.
    func run(isolation: isolated (any Actor)? = #isolation) async throws -> ErasedBox {
        guard case .asynchronous(let make) = registration.source else { return try runNow() }
        TaskLocalsInUse.begin()
        defer { TaskLocalsInUse.end() }
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

    /// Makes the service in a task of its own, which no caller can cancel.
    func launch() {
        Task { _ = try? await run() }  // Waiters get the error from the promise.
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

    /// What locators say is passed on, with this in the path; what else went wrong is the cause.
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
