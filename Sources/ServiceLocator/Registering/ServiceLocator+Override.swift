extension ServiceLocator {
    /// Replaces a service while a closure runs, in this task and its child tasks.
    ///
    /// ```swift
    /// try await locator.withOverride((any Clock).self, FixedClock()) {
    ///     let greeter = try await locator.resolve(Greeter.self)   // made with the fixed clock
    ///     #expect(greeter.greet() == "Good morning")
    /// }
    /// ```
    ///
    /// For tests: other tasks do not see the override, so parallel tests do not disturb each
    /// other.
    ///
    /// - It holds for this scope and those below, also where these have registrations of their own,
    ///   for child tasks and tasks made with `Task { }`, not for `Task.detached` and not for
    ///   threads and callbacks that are no tasks: these see the real services.
    /// - A service that is first made while the closure runs is kept for the closure alone,
    ///   and ended after it. The locator keeps nothing that holds a stand-in.
    /// - A service that was made before is returned as it is. It keeps the dependencies it was
    ///   made with, but resolves the stand-in when it asks the locator later.
    /// - A task that outlives the closure still finds the stand-ins. Resolving a service that
    ///   is not made yet throws `closed`.
    ///
    /// - Throws: What the closure throws; else `closeFailed` if hooks of what was made have failed.
    public func withOverride<P: Sendable, Result>(
        _ type: P.Type, named name: String? = nil, _ service: P,
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async throws -> Result {
        try await withOverrides([ServiceOverride(type, named: name, service)], body)
    }

    /// Replaces a service while a synchronous closure runs.
    ///
    /// Works like the asynchronous function, except that no service with an `onClose` can be
    /// made while the closure runs, since the hook could not be awaited. Resolving one throws
    /// an error with code `asynchronous`.
    ///
    /// - Throws: What the closure throws.
    public func withOverride<P: Sendable, Result>(
        _ type: P.Type, named name: String? = nil, _ service: P, _ body: () throws -> Result
    ) rethrows -> Result {
        try withOverrides([ServiceOverride(type, named: name, service)], body)
    }

    /// Replaces several services while a closure runs; of two for the same type, the last one
    /// counts.
    ///
    /// ```swift
    /// try await locator.withOverrides([ServiceOverride((any Clock).self, FixedClock())]) { … }
    /// ```
    ///
    /// - Throws: What the closure throws; else `closeFailed` if hooks of what was made have failed.
    public func withOverrides<Result>(
        _ overrides: [ServiceOverride], isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async throws -> Result {
        let set = OverrideSet(overrides, on: self, canEnd: true)
        let result: Result
        do {
            result = try await OverrideSet.$current.withValue(set) { try await body() }
        } catch {
            _ = await set.end()  // The caller gets the first error.
            throw error
        }
        let problems = await set.end()
        if !problems.isEmpty { throw ServiceLocatorError.closeFailed("an override", problems) }
        return result
    }

    /// Replaces several services while a synchronous closure runs.
    ///
    /// - Throws: What the closure throws.
    public func withOverrides<Result>(
        _ overrides: [ServiceOverride], _ body: () throws -> Result
    ) rethrows -> Result {
        let set = OverrideSet(overrides, on: self, canEnd: false)
        defer { set.endNow() }
        return try OverrideSet.$current.withValue(set, operation: body)
    }
}
