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
/// It behaves like `StorePersistenceService`, with queries, scratch spaces and conflicts,
/// since it is one over a store of its own. Children are fakes too, and share the recorded
/// calls and the planned failures.
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
    ///   - isReady: Whether it is ready at once. If not, the test decides with
    ///     ``becomeReady()`` or ``failOpening(with:)``.
    ///   - beforeReady: What operations do before the fake is ready.
    ///   - seed: Makes the initial rows; if it throws, so does every operation.
    public convenience init(
        entities: any Entity.Type..., isReady: Bool = true, beforeReady: BeforeReady = .wait,
        seed: @escaping @Sendable (WriteContext) throws -> Void = { _ in }
    ) {
        let script = FakeScript()
        let base = StorePersistenceService(
            beforeReady: beforeReady, errorHandler: { script.add($0) }
        ) { [entities] in
            try await script.waitForOpening()
            let dal = try await DataAccessLayer.open(.inMemory, entities: entities)
            try await dal.write(seed)
            return dal
        }
        self.init(base, script)
        if isReady { becomeReady() }
    }

    /// Makes a fake over a store that the test has opened.
    ///
    /// For example by `withStore`, which verifies the store at its end.
    public convenience init(_ dal: DataAccessLayer) {
        let script = FakeScript()
        self.init(StorePersistenceService(dal, errorHandler: { script.add($0) }), script)
    }

    /// The calls of the fake and its children so far, in order.
    public var calls: [ServiceOperation] { script.calls }

    /// Removes the recorded calls.
    public func forgetCalls() { script.forgetCalls() }

    /// The failures that no caller has awaited, in order: of enqueued changes, and of the opening.
    ///
    /// ```swift
    /// fake.failNext(.change, with: StoreError(.diskFull, "The disk is full."))
    /// await Visits(fake).count()                          // calls enqueue
    /// await fake.waitForEnqueuedChanges()
    /// #expect(fake.unawaitedFailures.map(\.operation.description) == ["change count visit"])
    /// ```
    public var unawaitedFailures: [ServiceFailure] { script.unawaited }

    /// Waits until all changes that were enqueued so far, also in children, have ended.
    public func waitForEnqueuedChanges() async { await script.waitForEnqueued() }

    /// Makes the next operations of a kind fail without touching the store.
    ///
    /// The failure of an enqueued change is in ``unawaitedFailures``.
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

    /// Lets the store open, if the outcome was not decided before.
    public func becomeReady() { script.decide(.success(())) }

    /// Makes the opening of the store fail, if the outcome was not decided before.
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

    /// Records the change, and accepts it.
    public func enqueue(_ change: ServiceChange<Void>) {
        do {
            try script.record(change.operation)
        } catch {
            return script.add(ServiceFailure(operation: change.operation, error: error))
        }
        script.beginEnqueued()
        base.submit(change) { [script] result, _ in
            if case .failure(let error) = result {
                script.add(ServiceFailure(operation: change.operation, error: error))
            }
            script.endEnqueued()
        }
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
    /// Records the call, and saves the pending changes to a depth.
    public func save(_ depth: SaveDepth, merging policy: MergePolicy) async throws {
        try script.record(ServiceOperation(.save, name: depth.rawValue))
        try await base.save(depth, merging: policy)
    }

    /// Records the call, and saves the pending changes to a depth.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    public func save(_ depth: SaveDepth, merging policy: MergePolicy) throws {
        try script.record(ServiceOperation(.save, name: depth.rawValue))
        try base.save(depth, merging: policy)
    }

    /// Records the call, and discards the pending changes.
    public func rollBack() async throws {
        try script.record(ServiceOperation(.rollBack))
        try await base.rollBack()
    }

    /// Records the call, and discards the pending changes.
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

    /// Records the call, and redoes the step that was undone last.
    @discardableResult
    public func redo() async throws -> Bool {
        try script.record(ServiceOperation(.redo))
        return try await base.redo()
    }

    /// Records the call, and redoes the step that was undone last.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    @discardableResult
    public func redo() throws -> Bool {
        try script.record(ServiceOperation(.redo))
        return try base.redo()
    }
}
