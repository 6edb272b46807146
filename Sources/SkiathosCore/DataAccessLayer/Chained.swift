/// A step of a chain, which passes its value to the next step.
///
/// ```swift
/// let name = try dal.write { try User.create(in: $0) { $0.firstname = "Ada" }.id }
///     .write { context, id in try User.find(id, in: context)?.lastname = "Lovelace"; return id }
///     .read  { context, id in try User.find(id, in: context)?.fullName }
/// ```
///
/// Each step is a separate read or write: the steps before it are committed when it begins,
/// and stay committed if it fails.
public struct Chained<Value: Sendable>: Sendable {
    let dal: DataAccessLayer
    /// The value of the step.
    public let value: Value

    /// Runs a closure with the value as a unit of work, blocking until it has the write
    /// permit.
    @available(*, noasync, message: "Use `try await`.")
    public func write(
        as name: String? = nil, by author: String? = nil,
        acknowledging level: Acknowledgement? = nil,
        _ body: @Sendable (WriteContext, Value) throws -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) throws {
        try dal.coordinator.write(SourcePlace(file: file, line: line), level) {
            try $0.run(as: name, by: author) { try body($0, value) }
        }
    }

    /// Runs a closure with the value as a unit of work, blocking until it has the write
    /// permit, and passes its result to the next step.
    @available(*, noasync, message: "Use `try await`.")
    @discardableResult
    public func write<T: Sendable>(
        as name: String? = nil, by author: String? = nil,
        acknowledging level: Acknowledgement? = nil,
        _ body: @Sendable (WriteContext, Value) throws -> T,
        file: StaticString = #fileID, line: UInt = #line
    ) throws -> Chained<T> {
        let place = SourcePlace(file: file, line: line)
        let result = try dal.coordinator.write(place, level) {
            try $0.run(as: name, by: author) { try body($0, value) }
        }
        return Chained<T>(dal: dal, value: result)
    }

    /// Runs a closure with the value against a snapshot of the store.
    @available(*, noasync, message: "Use `try await`.")
    public func read(
        _ body: @Sendable (ReadContext, Value) throws -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) throws {
        try dal.coordinator.read(SourcePlace(file: file, line: line)) { try body($0, value) }
    }

    /// Runs a closure with the value against a snapshot of the store, and returns its result.
    @available(*, noasync, message: "Use `try await`.")
    public func read<T: Sendable>(
        _ body: @Sendable (ReadContext, Value) throws -> T,
        file: StaticString = #fileID, line: UInt = #line
    ) throws -> T {
        try dal.coordinator.read(SourcePlace(file: file, line: line)) { try body($0, value) }
    }

    /// Runs a closure with the value as a unit of work; waiting for the write permit blocks no
    /// thread.
    public func write(
        as name: String? = nil, by author: String? = nil,
        acknowledging level: Acknowledgement? = nil,
        _ body: @Sendable (WriteContext, Value) throws -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) async throws {
        try await dal.coordinator.write(SourcePlace(file: file, line: line), level) {
            try $0.run(as: name, by: author) { try body($0, value) }
        }
    }

    /// Runs a closure with the value as a unit of work, and passes its result to the next
    /// step; waiting for the write permit blocks no thread.
    @discardableResult
    public func write<T: Sendable>(
        as name: String? = nil, by author: String? = nil,
        acknowledging level: Acknowledgement? = nil,
        _ body: @Sendable (WriteContext, Value) throws -> T,
        file: StaticString = #fileID, line: UInt = #line
    ) async throws -> Chained<T> {
        let place = SourcePlace(file: file, line: line)
        let result = try await dal.coordinator.write(place, level) {
            try $0.run(as: name, by: author) { try body($0, value) }
        }
        return Chained<T>(dal: dal, value: result)
    }

    /// Runs a closure with the value against a snapshot of the store; waiting for a connection
    /// blocks no thread.
    public func read(
        _ body: @Sendable (ReadContext, Value) throws -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) async throws {
        try await dal.coordinator.read(SourcePlace(file: file, line: line)) {
            try body($0, value)
        }
    }

    /// Runs a closure with the value against a snapshot of the store, and returns its result;
    /// waiting for a connection blocks no thread.
    public func read<T: Sendable>(
        _ body: @Sendable (ReadContext, Value) throws -> T,
        file: StaticString = #fileID, line: UInt = #line
    ) async throws -> T {
        try await dal.coordinator.read(SourcePlace(file: file, line: line)) {
            try body($0, value)
        }
    }

    /// Exists only for its diagnostic: the compiler chooses it for `write` where a closure
    /// returns objects inside another value, and then refuses it.
    public var write: RefusedResult<Value> {
        @available(
            *, unavailable,
            message:
                "an object stays in the write that made it; hand out its id or its value instead."
        )
        get { preconditionFailure("A write that the compiler refuses was called.") }
    }
}
