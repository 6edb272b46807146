public import SkiathosStore

extension DataAccessLayer {
    // Void comes first, so that a call whose result is not used has one meaning everywhere,
    // also in the closure of a task that returns nothing. The forms for chains are
    // disfavoured: the compiler chooses them where another step follows.

    /// Runs a closure as a unit of work and commits it.
    ///
    /// Blocks until it has the write permit. Where another step follows, it returns the data
    /// access layer.
    ///
    /// ```swift
    /// try dal.write { try User.create(in: $0) { $0.firstname = "John" } }
    ///     .read { print(try User.count(in: $0)) }
    /// ```
    ///
    /// - Parameters:
    ///   - name: What the write does, for those that observe its changes; see ``WriteOrigin``.
    ///   - author: On whose behalf it does that.
    ///   - level: How far the write has gone when this returns; without one, as the
    ///     configuration says.
    ///   - body: Runs exactly once, before this returns. Its context and objects are valid only
    ///     inside it. Calling `read` or `write` of the same data access layer inside it is an
    ///     error.
    ///   - file: The file of the call, which the statement log and spans name.
    ///   - line: The line of the call.
    /// - Throws: what the closure throws, or `StoreError` if a constraint is violated or the store
    ///   fails, or `DataAccessError` after closing. Nothing of the write remains then.
    @available(*, noasync, message: "Use `try await dal.write { … }`.")
    public func write(
        as name: String? = nil, by author: String? = nil,
        acknowledging level: Acknowledgement? = nil,
        _ body: @Sendable (WriteContext) throws -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) throws {
        try perform(name, author, level, file, line, body)
    }

    /// Runs a closure as a unit of work, commits it, and returns the data access layer for the next
    /// step of a chain.
    ///
    /// Blocks until it has the write permit.
    @available(*, noasync, message: "Use `try await dal.write { … }`.")
    @_disfavoredOverload
    @discardableResult
    public func write(
        as name: String? = nil, by author: String? = nil,
        acknowledging level: Acknowledgement? = nil,
        _ body: @Sendable (WriteContext) throws -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) throws -> DataAccessLayer {
        try perform(name, author, level, file, line, body)
        return self
    }

    /// Runs a closure as a unit of work, commits it, and returns its value.
    ///
    /// Blocks until it has the write permit.
    ///
    /// ```swift
    /// let id = try dal.write { try User.create(in: $0).id }
    /// ```
    @available(*, noasync, message: "Use `try await dal.write { … }`.")
    @discardableResult
    @inlinable
    public func write<T: Sendable>(
        as name: String? = nil, by author: String? = nil,
        acknowledging level: Acknowledgement? = nil,
        _ body: @Sendable (WriteContext) throws -> T,
        file: StaticString = #fileID, line: UInt = #line
    ) throws -> T {
        try withResultSlot { slot in
            try perform(name, author, level, file, line) { context in
                try slot.fill { try body(context) }
            }
        }
    }

    @usableFromInline
    func perform(
        _ name: String?, _ author: String?, _ level: Acknowledgement?, _ file: StaticString,
        _ line: UInt, _ body: (WriteContext) throws -> Void
    ) throws {
        try coordinator.write(SourcePlace(file: file, line: line), level) {
            try $0.run(as: name, by: author, body)
        }
    }

    /// Runs a closure as a unit of work, commits it, and passes its value to the next step of
    /// a chain.
    ///
    /// Blocks until it has the write permit.
    ///
    /// ```swift
    /// let name = try dal.write { try User.create(in: $0) { $0.firstname = "Ada" }.id }
    ///     .read { context, id in try User.find(id, in: context)?.firstname }
    /// ```
    @available(*, noasync, message: "Use `try await dal.write { … }`.")
    @_disfavoredOverload
    @discardableResult
    public func write<T: Sendable>(
        as name: String? = nil, by author: String? = nil,
        acknowledging level: Acknowledgement? = nil,
        _ body: @Sendable (WriteContext) throws -> T,
        file: StaticString = #fileID, line: UInt = #line
    ) throws -> Chained<T> {
        let place = SourcePlace(file: file, line: line)
        let value = try coordinator.write(place, level) {
            try $0.run(as: name, by: author, body)
        }
        return Chained(dal: self, value: value)
    }

    /// Runs a closure as a unit of work and commits it.
    ///
    /// Waiting for the write permit blocks no thread for longer than 30 microseconds.
    ///
    /// - Throws: also `CancellationError`, if the task was cancelled before the commit began.
    ///   While it waits for the permit the closure is not run at all; later it is rolled back.
    public func write(
        as name: String? = nil, by author: String? = nil,
        acknowledging level: Acknowledgement? = nil,
        _ body: @Sendable (WriteContext) throws -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) async throws {
        try await coordinator.write(SourcePlace(file: file, line: line), level) {
            try $0.run(as: name, by: author, body)
        }
    }

    /// Runs a closure as a unit of work, commits it, and returns the data access layer for the next
    /// step of a chain.
    ///
    /// Waiting for the write permit blocks no thread for longer than 30 microseconds.
    @_disfavoredOverload
    @discardableResult
    public func write(
        as name: String? = nil, by author: String? = nil,
        acknowledging level: Acknowledgement? = nil,
        _ body: @Sendable (WriteContext) throws -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) async throws -> DataAccessLayer {
        try await coordinator.write(SourcePlace(file: file, line: line), level) {
            try $0.run(as: name, by: author, body)
        }
        return self
    }

    /// Runs a closure as a unit of work, commits it, and returns its value.
    ///
    /// Waiting for the write permit blocks no thread for longer than 30 microseconds.
    @discardableResult
    public func write<T: Sendable>(
        as name: String? = nil, by author: String? = nil,
        acknowledging level: Acknowledgement? = nil,
        _ body: @Sendable (WriteContext) throws -> T,
        file: StaticString = #fileID, line: UInt = #line
    ) async throws -> T {
        try await coordinator.write(SourcePlace(file: file, line: line), level) {
            try $0.run(as: name, by: author, body)
        }
    }

    /// Runs a closure as a unit of work, commits it, and passes its value to the next step of
    /// a chain.
    ///
    /// Waiting for the write permit blocks no thread for longer than 30 microseconds.
    @_disfavoredOverload
    @discardableResult
    public func write<T: Sendable>(
        as name: String? = nil, by author: String? = nil,
        acknowledging level: Acknowledgement? = nil,
        _ body: @Sendable (WriteContext) throws -> T,
        file: StaticString = #fileID, line: UInt = #line
    ) async throws -> Chained<T> {
        let place = SourcePlace(file: file, line: line)
        let value = try await coordinator.write(place, level) {
            try $0.run(as: name, by: author, body)
        }
        return Chained(dal: self, value: value)
    }

    /// Exists only for its diagnostic: the compiler chooses it for `write` where a closure
    /// returns objects inside another value, and then refuses it.
    public var write: RefusedResult<> {
        @available(
            *, unavailable,
            message:
                "an object stays in the write that made it; hand out its id or its value instead."
        )
        get { preconditionFailure("A write that the compiler refuses was called.") }
    }
}
