public import PersistenceService
public import SkiathosCore
import SkiathosSQLite
import SkiathosStore
import Synchronization

/// A persistence service in memory, for tests of code that depends on one.
///
/// ```swift
/// let fake = FakePersistenceService(entities: User.self) { try User.create(in: $0) { $0.name = "Ada" } }
/// fake.failNext(.fetch, with: StoreError(.inputOutput, "The disk is gone."))
/// await #expect(throws: StoreError.self) { try await Greeting(fake).text() }
/// #expect(fake.calls.map(\.description) == ["fetch User"])
/// ```
///
/// It does what ``StorePersistenceService`` does, with queries, scratch spaces and conflicts, since
/// it is one over a store of its own. Children are fakes as well, and share everything that is
/// recorded and planned.
public final class FakePersistenceService: PersistenceService {
    private let base: StorePersistenceService
    private let script: FakeScript

    private init(_ base: StorePersistenceService, _ script: FakeScript) {
        self.base = base
        self.script = script
    }

    /// Makes a fake with a store in memory.
    ///
    /// - Parameters:
    ///   - entities: All entities that the store holds.
    ///   - isReady: Whether it is ready at once. If not, the test says when, by ``becomeReady()``
    ///     or ``failOpening(with:)``.
    ///   - beforeReady: What operations do that come before.
    ///   - seed: Makes the rows that are there from the beginning; if it throws, so does everything.
    public convenience init(
        entities: any Entity.Type..., isReady: Bool = true, beforeReady: BeforeReady = .wait,
        seed: @escaping @Sendable (WriteContext) throws -> Void = { _ in }
    ) {
        let script = FakeScript()
        let base = StorePersistenceService(beforeReady: beforeReady) { [entities] in
            try await script.waitForOpening()
            let dal = try await DataAccessLayer.open(.inMemory, entities: entities)
            try await dal.write(seed)
            return dal
        }
        self.init(base, script)
        if isReady { becomeReady() }
    }

    /// Makes a fake over a store that the test has opened, for example by `withStore`, which looks
    /// on the way out whether the store is sound.
    public convenience init(_ dal: DataAccessLayer) {
        self.init(StorePersistenceService(dal), FakeScript())
    }

    /// What was asked of the fake and of its children so far, in order.
    public var calls: [ServiceOperation] { script.calls }

    /// Forgets what was asked so far.
    public func forgetCalls() { script.forgetCalls() }

    /// Lets the next operations of a kind fail; the store is not touched by them.
    ///
    /// - Parameters:
    ///   - kind: Which operations, of the fake or its children.
    ///   - error: What they throw.
    ///   - times: How many of them, at least 0.
    public func failNext(
        _ kind: ServiceOperation.Kind, with error: any Error, times: Int = 1
    ) {
        script.plan(kind, error, times)
    }

    /// Lets the store be opened, if it was not decided before.
    public func becomeReady() { script.decide(.success(())) }

    /// Lets the opening of the store fail, if it was not decided before.
    public func failOpening(with error: any Error) { script.decide(.failure(error)) }

    /// Records the question, and answers it.
    public func run<Value: Sendable>(_ query: ServiceQuery<Value>) async throws -> Value {
        try script.record(query.operation)
        return try await base.run(query)
    }

    /// Records the question, and answers it.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    public func run<Value: Sendable>(_ query: ServiceQuery<Value>) throws -> Value {
        try script.record(query.operation)
        return try base.run(query)
    }

    /// Records the change, and makes it.
    public func run<Value: Sendable>(_ change: ServiceChange<Value>) async throws -> Value {
        try script.record(change.operation)
        return try await base.run(change)
    }

    /// Records the change, and makes it.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    public func run<Value: Sendable>(_ change: ServiceChange<Value>) throws -> Value {
        try script.record(change.operation)
        return try base.run(change)
    }

    /// Makes a child, which is a fake too.
    public func makeChild() -> any PersistenceService {
        FakePersistenceService(base.child(), script)
    }

    /// Waits until the store can be used.
    public func ready() async throws { try await base.ready() }
    /// Whether the store can be used.
    public var readiness: Readiness { base.readiness }
    /// Whether anything is pending in this service itself.
    public var hasPendingChanges: Bool { base.hasPendingChanges }
    /// The steps that can be undone and redone.
    public var history: StepHistory { base.history }
}

extension FakePersistenceService {
    /// Records the call, and brings what is pending to a depth.
    public func save(_ depth: SaveDepth, merging policy: MergePolicy) async throws {
        try script.record(ServiceOperation(.save, name: depth.rawValue))
        try await base.save(depth, merging: policy)
    }

    /// Records the call, and brings what is pending to a depth.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    public func save(_ depth: SaveDepth, merging policy: MergePolicy) throws {
        try script.record(ServiceOperation(.save, name: depth.rawValue))
        try base.save(depth, merging: policy)
    }

    /// Records the call, and drops what is pending.
    public func rollBack() async throws {
        try script.record(ServiceOperation(.rollBack))
        try await base.rollBack()
    }

    /// Records the call, and drops what is pending.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    public func rollBack() throws {
        try script.record(ServiceOperation(.rollBack))
        try base.rollBack()
    }

    /// Records the call, and undoes the last step.
    @discardableResult
    public func undo() async throws -> Bool {
        try script.record(ServiceOperation(.undo))
        return try await base.undo()
    }

    /// Records the call, and undoes the last step.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    @discardableResult
    public func undo() throws -> Bool {
        try script.record(ServiceOperation(.undo))
        return try base.undo()
    }

    /// Records the call, and does the step again that was undone last.
    @discardableResult
    public func redo() async throws -> Bool {
        try script.record(ServiceOperation(.redo))
        return try await base.redo()
    }

    /// Records the call, and does the step again that was undone last.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    @discardableResult
    public func redo() throws -> Bool {
        try script.record(ServiceOperation(.redo))
        return try base.redo()
    }
}
