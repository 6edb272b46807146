/// What application code depends on to keep its data: one-line operations on entities, and scratch
/// spaces whose changes are seen nowhere else until they are saved.
///
/// ```swift
/// struct SignUp {
///     let persistence: any PersistenceService
///
///     func callAsFunction(_ name: String) async throws -> User {
///         try await persistence.create(User.self, saving: .store) { $0.name = name }
///     }
/// }
/// ```
///
/// ``StorePersistenceService`` implements it over a data access layer; the product
/// `PersistenceServiceTesting` has one for tests. Everything but the few requirements below is
/// made of them, so an implementation that wraps another one forwards just these.
///
/// A service may be used by any number of tasks and threads. Its operations take effect one at a
/// time, each as a whole or not at all. Closures that are given to it must not call it, nor its
/// relatives: that is an error with the code `nestedCall`.
public protocol PersistenceService: AnyObject, Sendable {
    /// Answers a question from what the service sees: the store, with the pending changes of all
    /// ancestors and its own on top.
    func run<Value: Sendable>(_ query: ServiceQuery<Value>) async throws -> Value
    /// Answers a question, blocking the thread.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    func run<Value: Sendable>(_ query: ServiceQuery<Value>) throws -> Value

    /// Makes a change, which goes as far as it says.
    func run<Value: Sendable>(_ change: ServiceChange<Value>) async throws -> Value
    /// Makes a change, blocking the thread.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    func run<Value: Sendable>(_ change: ServiceChange<Value>) throws -> Value

    /// Brings what is pending to a depth.
    ///
    /// - Throws: ``PersistenceError`` with code `conflict` and all conflicts, if the policy does not
    ///   settle them; `StoreError` for a violated constraint. Everything stays pending then.
    func save(_ depth: SaveDepth, merging policy: MergePolicy) async throws
    /// Brings what is pending to a depth, blocking the thread.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    func save(_ depth: SaveDepth, merging policy: MergePolicy) throws

    /// Drops what is pending in this service, and its steps; ancestors and children keep theirs.
    func rollBack() async throws
    /// Drops what is pending, blocking the thread.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    func rollBack() throws

    /// Undoes the last step that is still pending here; returns whether there was one.
    func undo() async throws -> Bool
    /// Undoes the last step, blocking the thread.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    func undo() throws -> Bool
    /// Does the step again that was undone last; returns whether there was one.
    func redo() async throws -> Bool
    /// Does the step again that was undone last, blocking the thread.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    func redo() throws -> Bool
    /// The steps that can be undone and redone.
    var history: StepHistory { get }

    /// Makes a service with a scratch space of its own above what this one sees.
    ///
    /// It holds this one. Letting go of it discards what is pending in it.
    func makeChild() -> any PersistenceService
    /// Whether anything is pending in this service itself.
    var hasPendingChanges: Bool { get }

    /// Waits until the store can be used.
    ///
    /// - Throws: ``PersistenceError`` with code `openingFailed`, whoever asks and how often;
    ///   `CancellationError` if the waiting task is cancelled.
    func ready() async throws
    /// Whether the store can be used.
    var readiness: Readiness { get }
}

/// The steps of a scratch space, by the names that their callers have given them.
public struct StepHistory: Sendable, Hashable {
    /// The steps that can be undone; the last one is undone first.
    ///
    /// A step without a name goes by the description of its operation.
    public var undoable: [String]
    /// The steps that can be redone; the last one is redone first.
    public var redoable: [String]

    /// Makes a history.
    public init(undoable: [String] = [], redoable: [String] = []) {
        self.undoable = undoable
        self.redoable = redoable
    }
}

extension PersistenceService {
    /// Whether a step can be undone.
    public var canUndo: Bool { !history.undoable.isEmpty }
    /// Whether a step can be redone.
    public var canRedo: Bool { !history.redoable.isEmpty }

    /// Brings what is pending to a depth; a conflict is thrown.
    public func save(_ depth: SaveDepth = .store) async throws {
        try await save(depth, merging: .throwing)
    }

    /// Brings what is pending to a depth, blocking the thread; a conflict is thrown.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    public func save(_ depth: SaveDepth = .store) throws {
        try save(depth, merging: .throwing)
    }
}
