extension ServiceLocator {
    /// Lets a service stand for another while a closure runs, in this task and its child tasks.
    ///
    /// ```swift
    /// try await locator.withOverride((any Clock).self, FixedClock()) {
    ///     let greeter = try await locator.resolve(Greeter.self)   // made with the fixed clock
    ///     #expect(greeter.greet() == "Good morning")
    /// }
    /// ```
    ///
    /// For tests: nobody else sees it, so tests that run in parallel do not disturb each other.
    ///
    /// - It holds for this scope and those below, also where these have registrations of their own,
    ///   for child tasks and tasks made with `Task { }`, not for `Task.detached` and not for
    ///   threads and callbacks that are no tasks: these see the real services.
    /// - A service that is made meanwhile for the first time is kept for the closure alone, and
    ///   ended after it: nothing that holds a stand-in is left in the locator.
    /// - A service that was made before is given as it is. It keeps what it was given when it was
    ///   made, but what it asks the locator for later is the stand-in.
    /// - A task that outlives the closure still finds the stand-ins. It gets `closed` for whatever
    ///   would have to be made.
    ///
    /// - Throws: What the closure throws; else `closeFailed` if hooks of what was made have failed.
    public func withOverride<P: Sendable, Result>(
        _ type: P.Type, named name: String? = nil, _ service: P,
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async throws -> Result {
        try await withOverrides([ServiceOverride(type, named: name, service)], body)
    }

    /// Lets a service stand for another while a synchronous closure runs.
    ///
    /// As the asynchronous function, except that what has an `onClose` cannot be made meanwhile,
    /// since nobody could await it: to ask for that throws an error with code `asynchronous`.
    ///
    /// - Throws: What the closure throws.
    public func withOverride<P: Sendable, Result>(
        _ type: P.Type, named name: String? = nil, _ service: P, _ body: () throws -> Result
    ) rethrows -> Result {
        try withOverrides([ServiceOverride(type, named: name, service)], body)
    }

    /// Lets several services stand for others while a closure runs; of the same type, the last.
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
            _ = await set.end()  // What went wrong first is what the caller wants to know.
            throw error
        }
        let problems = await set.end()
        if !problems.isEmpty { throw ServiceLocatorError.closeFailed("an override", problems) }
        return result
    }

    /// Lets several services stand for others while a synchronous closure runs.
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
