/// The persistence interface of application code: one-line operations on entities, and scratch
/// spaces whose changes stay private until they are saved.
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
/// `PersistenceServiceTesting` has one for tests. Everything else is built on the few
/// requirements below, so an implementation that wraps another one forwards just these.
///
/// A service may be used by any number of tasks and threads. Its operations take effect one at
/// a time, each as a whole or not at all. Closures that are passed to it must not call the
/// service, nor another one of its tree: that throws an error with the code `nestedCall`.
public protocol PersistenceService: AnyObject, Sendable {
    /// Runs a query on what the service sees.
    ///
    /// That is the store with the pending changes of all ancestors, and its own on top.
    func run<Value: Sendable>(_ query: ServiceQuery<Value>) async throws -> Value
    /// Runs a query, blocking the thread.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    func run<Value: Sendable>(_ query: ServiceQuery<Value>) throws -> Value

    /// Runs a change, which decides how far it goes.
    func run<Value: Sendable>(_ change: ServiceChange<Value>) async throws -> Value
    /// Runs a change, blocking the thread.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    func run<Value: Sendable>(_ change: ServiceChange<Value>) throws -> Value

    /// Accepts a change and returns at once; a failure goes to the handler of the service, which
    /// ``ServiceFailure`` describes.
    ///
    /// Changes and saves take effect in the order in which they were accepted, also those that
    /// their callers wait for.
    func enqueue(_ change: ServiceChange<Void>)

    /// Saves the pending changes to a depth.
    ///
    /// - Throws: ``PersistenceServiceError`` with code `conflict` and all conflicts, if the policy does not
    ///   settle them; `StoreError` for a violated constraint. Everything stays pending then.
    func save(_ depth: SaveDepth, merging policy: MergePolicy) async throws
    /// Saves the pending changes to a depth, blocking the thread.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    func save(_ depth: SaveDepth, merging policy: MergePolicy) throws

    /// Discards the pending changes and the steps of this service; ancestors and children keep
    /// theirs.
    func rollBack() async throws
    /// Discards the pending changes, blocking the thread.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    func rollBack() throws

    /// Undoes the last step that is still pending here; returns whether there was one.
    func undo() async throws -> Bool
    /// Undoes the last step, blocking the thread.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    func undo() throws -> Bool
    /// Redoes the step that was undone last; returns whether there was one.
    func redo() async throws -> Bool
    /// Redoes the step that was undone last, blocking the thread.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    func redo() throws -> Bool
    /// The steps that can be undone and redone.
    var history: StepHistory { get }

    /// Makes a child service with a scratch space on top of what this one sees.
    ///
    /// The child retains this service. Releasing the child discards its pending changes.
    func makeChild() -> any PersistenceService
    /// Whether anything is pending in this service itself.
    var hasPendingChanges: Bool { get }

    /// Waits until the store can be used.
    ///
    /// - Throws: ``PersistenceServiceError`` with code `openingFailed`, for every call;
    ///   `CancellationError` if the waiting task is cancelled.
    func ready() async throws
    /// Whether the store can be used.
    var readiness: Readiness { get }
}

/// The steps of a scratch space, by the names that their callers have given them.
public struct StepHistory: Sendable, Hashable {
    /// The steps that can be undone; the last one is undone first.
    ///
    /// A step without a name is listed by the description of its operation.
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

    /// Saves the pending changes to a depth; a conflict is thrown.
    public func save(_ depth: SaveDepth = .store) async throws {
        try await save(depth, merging: .throwing)
    }

    /// Saves the pending changes to a depth, blocking the thread; a conflict is thrown.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    public func save(_ depth: SaveDepth = .store) throws {
        try save(depth, merging: .throwing)
    }
}
