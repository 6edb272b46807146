extension DataAccessLayer {
    /// Runs a closure against a snapshot of the store, with a budget for its queries, blocking
    /// while every connection is in use.
    ///
    /// ```swift
    /// let adults: [User] = try dal.read(budget: QueryBudget(rows: 1_000)) {
    ///     try User.all(where: { $0.age >= 18 }, in: $0)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - budget: How much the queries of the closure may use together.
    ///   - body: Runs exactly once, before this returns. Its context is valid only inside it.
    ///   - file: The file of the call, which the message of an exceeded budget names.
    ///   - line: The line of the call.
    /// - Throws: what `read` throws. A query that exceeds the budget throws `DataAccessError`
    ///   with code `budgetExceeded`.
    @available(*, noasync, message: "Use `try await dal.read(budget:) { … }`.")
    public func read(
        budget: QueryBudget, _ body: @Sendable (ReadContext) throws -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) throws {
        try coordinator.read(SourcePlace(file: file, line: line)) { context in
            try context.withBudget(budget, file: file, line: line) { try body(context) }
        }
    }

    /// Runs a closure against a snapshot of the store, with a budget for its queries, blocking
    /// while every connection is in use, and returns its value.
    @available(*, noasync, message: "Use `try await dal.read(budget:) { … }`.")
    @discardableResult
    public func read<T: Sendable>(
        budget: QueryBudget, _ body: @Sendable (ReadContext) throws -> T,
        file: StaticString = #fileID, line: UInt = #line
    ) throws -> T {
        try coordinator.read(SourcePlace(file: file, line: line)) { context in
            try context.withBudget(budget, file: file, line: line) { try body(context) }
        }
    }

    /// Runs a closure against a snapshot of the store, with a budget for its queries.
    ///
    /// Waiting for a connection blocks no thread; cancelling the task interrupts the query.
    public func read(
        budget: QueryBudget, _ body: @Sendable (ReadContext) throws -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) async throws {
        try await coordinator.read(SourcePlace(file: file, line: line)) { context in
            try context.withBudget(budget, file: file, line: line) { try body(context) }
        }
    }

    /// Runs a closure against a snapshot of the store, with a budget for its queries, and
    /// returns its value.
    ///
    /// Waiting for a connection blocks no thread; cancelling the task interrupts the query.
    @discardableResult
    public func read<T: Sendable>(
        budget: QueryBudget, _ body: @Sendable (ReadContext) throws -> T,
        file: StaticString = #fileID, line: UInt = #line
    ) async throws -> T {
        try await coordinator.read(SourcePlace(file: file, line: line)) { context in
            try context.withBudget(budget, file: file, line: line) { try body(context) }
        }
    }

    /// Runs a closure as a unit of work with a budget for its queries, and blocks until it is
    /// committed.
    ///
    /// ```swift
    /// try dal.write(budget: QueryBudget(fullScans: 0)) {
    ///     try User.deleteAll(where: { $0.age > 99 }, in: $0)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: What the write does, for those that observe its changes; see ``WriteOrigin``.
    ///   - author: On whose behalf it does that.
    ///   - level: How far the write has gone when this returns; without one, as the
    ///     configuration says.
    ///   - budget: How much the queries of the closure may use together. Objects that it creates,
    ///     changes or deletes do not count.
    ///   - file: The file of the call, which the message of an exceeded budget names.
    ///   - line: The line of the call.
    ///   - body: Runs exactly once, before this returns.
    /// - Throws: what `write` throws. A query that exceeds the budget throws `DataAccessError`
    ///   with code `budgetExceeded`.
    @available(*, noasync, message: "Use `try await dal.write(budget:) { … }`.")
    public func write(
        as name: String? = nil, by author: String? = nil,
        acknowledging level: Acknowledgement? = nil, budget: QueryBudget,
        file: StaticString = #fileID, line: UInt = #line,
        _ body: @Sendable (WriteContext) throws -> Void
    ) throws {
        try coordinator.write(SourcePlace(file: file, line: line), level) { context in
            try context.withBudget(budget, file: file, line: line) {
                try context.run(as: name, by: author, body)
            }
        }
    }

    /// Runs a closure as a unit of work with a budget for its queries, blocks until it is
    /// committed, and returns its value.
    @available(*, noasync, message: "Use `try await dal.write(budget:) { … }`.")
    @discardableResult
    public func write<T: Sendable>(
        as name: String? = nil, by author: String? = nil,
        acknowledging level: Acknowledgement? = nil, budget: QueryBudget,
        file: StaticString = #fileID, line: UInt = #line,
        _ body: @Sendable (WriteContext) throws -> T
    ) throws -> T {
        try coordinator.write(SourcePlace(file: file, line: line), level) { context in
            try context.withBudget(budget, file: file, line: line) {
                try context.run(as: name, by: author, body)
            }
        }
    }

    /// Runs a closure as a unit of work with a budget for its queries.
    ///
    /// Waiting for the write permit blocks no thread for longer than 30 microseconds.
    public func write(
        as name: String? = nil, by author: String? = nil,
        acknowledging level: Acknowledgement? = nil, budget: QueryBudget,
        file: StaticString = #fileID, line: UInt = #line,
        _ body: @Sendable (WriteContext) throws -> Void
    ) async throws {
        try await coordinator.write(SourcePlace(file: file, line: line), level) { context in
            try context.withBudget(budget, file: file, line: line) {
                try context.run(as: name, by: author, body)
            }
        }
    }

    /// Runs a closure as a unit of work with a budget for its queries, and returns its value.
    ///
    /// Waiting for the write permit blocks no thread for longer than 30 microseconds.
    @discardableResult
    public func write<T: Sendable>(
        as name: String? = nil, by author: String? = nil,
        acknowledging level: Acknowledgement? = nil, budget: QueryBudget,
        file: StaticString = #fileID, line: UInt = #line,
        _ body: @Sendable (WriteContext) throws -> T
    ) async throws -> T {
        try await coordinator.write(SourcePlace(file: file, line: line), level) { context in
            try context.withBudget(budget, file: file, line: line) {
                try context.run(as: name, by: author, body)
            }
        }
    }

    /// Runs a closure as a unit of work with a budget for its queries, commits it, and returns the
    /// data access layer for the next step of a chain.
    ///
    /// Blocks until it has the write permit.
    @available(*, noasync, message: "Use `try await dal.write(budget:) { … }`.")
    @_disfavoredOverload
    @discardableResult
    public func write(
        as name: String? = nil, by author: String? = nil,
        acknowledging level: Acknowledgement? = nil, budget: QueryBudget,
        file: StaticString = #fileID, line: UInt = #line,
        _ body: @Sendable (WriteContext) throws -> Void
    ) throws -> DataAccessLayer {
        try coordinator.write(SourcePlace(file: file, line: line), level) { context in
            try context.withBudget(budget, file: file, line: line) {
                try context.run(as: name, by: author, body)
            }
        }
        return self
    }

    /// Runs a closure as a unit of work with a budget for its queries, commits it, and passes
    /// its value to the next step of a chain.
    ///
    /// Blocks until it has the write permit.
    @available(*, noasync, message: "Use `try await dal.write(budget:) { … }`.")
    @_disfavoredOverload
    @discardableResult
    public func write<T: Sendable>(
        as name: String? = nil, by author: String? = nil,
        acknowledging level: Acknowledgement? = nil, budget: QueryBudget,
        file: StaticString = #fileID, line: UInt = #line,
        _ body: @Sendable (WriteContext) throws -> T
    ) throws -> Chained<T> {
        let value = try coordinator.write(SourcePlace(file: file, line: line), level) { context in
            try context.withBudget(budget, file: file, line: line) {
                try context.run(as: name, by: author, body)
            }
        }
        return Chained(dal: self, value: value)
    }

    /// Runs a closure as a unit of work with a budget for its queries, commits it, and returns the
    /// data access layer for the next step of a chain.
    ///
    /// Waiting for the write permit blocks no thread for longer than 30 microseconds.
    @_disfavoredOverload
    @discardableResult
    public func write(
        as name: String? = nil, by author: String? = nil,
        acknowledging level: Acknowledgement? = nil, budget: QueryBudget,
        file: StaticString = #fileID, line: UInt = #line,
        _ body: @Sendable (WriteContext) throws -> Void
    ) async throws -> DataAccessLayer {
        try await coordinator.write(SourcePlace(file: file, line: line), level) { context in
            try context.withBudget(budget, file: file, line: line) {
                try context.run(as: name, by: author, body)
            }
        }
        return self
    }

    /// Runs a closure as a unit of work with a budget for its queries, commits it, and passes
    /// its value to the next step of a chain.
    ///
    /// Waiting for the write permit blocks no thread for longer than 30 microseconds.
    @_disfavoredOverload
    @discardableResult
    public func write<T: Sendable>(
        as name: String? = nil, by author: String? = nil,
        acknowledging level: Acknowledgement? = nil, budget: QueryBudget,
        file: StaticString = #fileID, line: UInt = #line,
        _ body: @Sendable (WriteContext) throws -> T
    ) async throws -> Chained<T> {
        let value = try await coordinator.write(SourcePlace(file: file, line: line), level) {
            context in
            try context.withBudget(budget, file: file, line: line) {
                try context.run(as: name, by: author, body)
            }
        }
        return Chained(dal: self, value: value)
    }
}
