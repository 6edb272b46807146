public import SkiathosStore

extension DataAccessLayer {
    /// Runs a closure against a snapshot of the store, blocking while every connection is in
    /// use.
    ///
    /// Where another step follows, it returns the data access layer.
    ///
    /// ```swift
    /// try dal.read { print(try User.count(in: $0)) }
    /// ```
    ///
    /// - Parameters:
    ///   - body: Runs exactly once, before this returns. Its context is valid only inside it.
    ///     Calling `read` or `write` of the same data access layer inside it is an error.
    ///   - file: The file of the call, by which a warning names a read that takes too long.
    ///   - line: The line of the call.
    /// - Throws: what the closure throws, `StoreError`, or `DataAccessError` after closing.
    @available(*, noasync, message: "Use `try await dal.read { … }`.")
    public func read(
        _ body: @Sendable (ReadContext) throws -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) throws {
        try perform(file, line, body)
    }

    /// Runs a closure against a snapshot of the store, blocking while every connection is in
    /// use, and returns the data access layer for the next step of a chain.
    @available(*, noasync, message: "Use `try await dal.read { … }`.")
    @_disfavoredOverload
    @discardableResult
    public func read(
        _ body: @Sendable (ReadContext) throws -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) throws -> DataAccessLayer {
        try perform(file, line, body)
        return self
    }

    /// Runs a closure against a snapshot of the store, blocking while every connection is in
    /// use, and returns its value.
    ///
    /// ```swift
    /// let adults: [User] = try dal.read { try User.all(where: { $0.age >= 18 }, in: $0) }
    /// ```
    @available(*, noasync, message: "Use `try await dal.read { … }`.")
    @inlinable
    public func read<T: Sendable>(
        _ body: @Sendable (ReadContext) throws -> T,
        file: StaticString = #fileID, line: UInt = #line
    ) throws -> T {
        try withResultSlot { slot in
            try perform(file, line) { context in try slot.fill { try body(context) } }
        }
    }

    @usableFromInline
    func perform(
        _ file: StaticString, _ line: UInt, _ body: (ReadContext) throws -> Void
    ) throws {
        try coordinator.read(SourcePlace(file: file, line: line), body)
    }

    /// Runs a closure against a snapshot of the store.
    ///
    /// Waiting for a connection blocks no thread; cancelling the task interrupts the query.
    public func read(
        _ body: @Sendable (ReadContext) throws -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) async throws {
        if let reserved = try reserveRead(file, line) { return try perform(reserved, body) }
        try await perform(file, line, body)
    }

    /// Runs a closure against a snapshot of the store and returns the data access layer for
    /// the next step of a chain.
    ///
    /// Waiting for a connection blocks no thread; cancelling the task interrupts the query.
    @_disfavoredOverload
    @discardableResult
    public func read(
        _ body: @Sendable (ReadContext) throws -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) async throws -> DataAccessLayer {
        if let reserved = try reserveRead(file, line) {
            try perform(reserved, body)
        } else {
            try await perform(file, line, body)
        }
        return self
    }

    /// Runs a closure against a snapshot of the store and returns its value.
    ///
    /// Waiting for a connection blocks no thread; cancelling the task interrupts the query.
    ///
    /// - Throws: also `CancellationError`, if the task was cancelled before the closure was done.
    @inlinable
    public func read<T: Sendable>(
        _ body: @Sendable (ReadContext) throws -> T,
        file: StaticString = #fileID, line: UInt = #line
    ) async throws -> T {
        // Here, and so where the type of the result is known, without a task's memory or a change of
        // executors.
        if let reserved = try reserveRead(file, line) {
            return try withResultSlot { slot in
                try perform(reserved) { context in try slot.fill { try body(context) } }
            }
        }
        var result: T?
        try await perform(file, line) { context in result = try body(context) }
        return result.ofFinishedAccess
    }

    @usableFromInline
    func reserveRead(_ file: StaticString, _ line: UInt) throws -> ReservedRead? {
        try coordinator.reserveRead(SourcePlace(file: file, line: line))
    }

    @usableFromInline
    func perform(_ reserved: ReservedRead, _ body: (ReadContext) throws -> Void) throws {
        try coordinator.read(reserved, body)
    }

    @usableFromInline
    func perform(
        _ file: StaticString, _ line: UInt, _ body: (ReadContext) throws -> Void
    ) async throws {
        try await coordinator.read(SourcePlace(file: file, line: line), body)
    }
}
