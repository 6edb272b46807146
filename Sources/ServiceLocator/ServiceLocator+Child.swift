import SkiathosLocks
import Synchronization

extension ServiceLocator {
    /// Makes a scope below this one.
    ///
    /// ```swift
    /// let request = try app.child(named: "request")
    /// try request.register(User.self, .instance(user))
    /// let clock: any Clock = try request.resolve()      // the clock of app
    /// ```
    ///
    /// Its registrations hide those of the scopes above for the same type and name. The child
    /// keeps this scope alive, but not the other way round. A child that is dropped without
    /// being closed releases its services and does not run their hooks.
    ///
    /// - Throws: ``ServiceLocatorError`` with code `closed`.
    public func child(named name: String = "child") throws(ServiceLocatorError) -> ServiceLocator {
        let child = ServiceLocator(named: name, parent: self)
        let held = state.withLock { $0.isOpen ? $0.add(child) : nil }
        guard held != nil else {
            throw .closed(self.name, doing: "have a scope '\(name)' below it")
        }
        return child
    }

    /// Makes a scope below this one for a closure, and closes it also if the closure throws.
    ///
    /// ```swift
    /// try await app.withChild(named: "request") { request in
    ///     try request.register(User.self, .instance(user))
    ///     return try await handler(request)
    /// }
    /// ```
    ///
    /// - Throws: What the closure throws, or else what ``close(isolation:)`` throws.
    public func withChild<Value>(
        named name: String = "child", isolation: isolated (any Actor)? = #isolation,
        _ body: (ServiceLocator) async throws -> Value
    ) async throws -> Value {
        let child = try child(named: name)
        let result: Value
        do {
            result = try await body(child)
        } catch {
            // The caller gets the first error.
            _ = await child.closeInAnyCase()
            throw error
        }
        try await child.closeInAnyCase().get()
        return result
    }

    /// Closes the scope, and waits for that also in a cancelled task.
    private func closeInAnyCase() async -> Result<Void, any Error> {
        await shielded {
            do {
                return .success(try await self.close())
            } catch {
                return .failure(error)
            }
        }
    }
}
