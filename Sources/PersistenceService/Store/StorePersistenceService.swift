public import SkiathosCore

/// A persistence service over a data access layer.
///
/// ```swift
/// let service = StorePersistenceService(dal)
/// let form = service.makeChild()
/// try await form.update(User.self, ids: [id]) { users, _ in
///     users[0].name = "Ada"
///     return .keep                        // seen by the form alone
/// }
/// try await form.save(.store)             // UPDATE "user" SET "name" = 'Ada' WHERE "id" = 1
/// ```
///
/// A query runs as an ordinary read while nothing is pending in the service and its ancestors.
/// Otherwise it acquires the write permit, applies the pending changes in a transaction of its
/// own, runs there, and rolls the transaction back.
public final class StorePersistenceService: PersistenceService {
    let gate: StoreGate
    let tree: SpaceTree
    let space: SpaceTree.ID
    let parent: StorePersistenceService?
    /// The spaces from the outermost ancestor's to this service's own.
    let path: [SpaceTree.ID]
    let level: Acknowledgement?
    let undoLimit: Int
    let failures: FailureReporter

    private init(
        _ gate: StoreGate, _ tree: SpaceTree, parent: StorePersistenceService?,
        level: Acknowledgement?, undoLimit: Int, failures: FailureReporter
    ) {
        self.failures = failures
        self.gate = gate
        self.tree = tree
        self.parent = parent
        self.level = level
        self.undoLimit = undoLimit
        space = tree.add(undoLimit: undoLimit)
        path = (parent?.path ?? []) + [space]
    }

    deinit { tree.remove(space) }

    /// Makes a service over an open store.
    ///
    /// - Parameters:
    ///   - dal: The store, which the caller closes.
    ///   - level: How safe saved changes are when a call returns: `.committed` or `.durable`.
    ///     The default is the level of the store's configuration. `.merged` counts as
    ///     `.committed`.
    ///   - undoLimit: How many steps can be undone, at least 0; also of children.
    ///   - errorHandler: Receives every failure of the service and its children that no caller
    ///     waits for; called from any thread, and may call the service. By default they go to
    ///     the error handler of the store's configuration, as failures of `enqueuedWrite`.
    public convenience init(
        _ dal: DataAccessLayer, acknowledging level: Acknowledgement? = nil, undoLimit: Int = 100,
        errorHandler: (@Sendable (ServiceFailure) -> Void)? = nil
    ) {
        self.init(
            StoreGate(dal), SpaceTree(), parent: nil, level: level, undoLimit: undoLimit,
            failures: FailureReporter(handler: errorHandler))
    }

    /// Makes a service over a store that is opened in the background.
    ///
    /// ```swift
    /// let service = StorePersistenceService {
    ///     try await DataAccessLayer.open(.sqlite("app.sqlite"), entities: User.self)
    /// }
    /// let count = try await service.count(User.self)      // waits for the store
    /// ```
    ///
    /// - Parameters:
    ///   - beforeReady: What operations do before the store is open: by default they wait. A
    ///     synchronous one that waits blocks its thread.
    ///   - level: How safe saved changes are when a call returns.
    ///   - undoLimit: How many steps can be undone, at least 0.
    ///   - errorHandler: Receives every failure of the service and its children that no caller
    ///     waits for; called from any thread, and may call the service. By default they go to
    ///     the error handler of the store's configuration, as failures of `enqueuedWrite`; one
    ///     of the opening is logged as an error, with the label `skiathos`.
    ///   - opening: Opens the store; begins at once, and runs once. A failure is kept.
    public convenience init(
        beforeReady: BeforeReady = .wait, acknowledging level: Acknowledgement? = nil,
        undoLimit: Int = 100, errorHandler: (@Sendable (ServiceFailure) -> Void)? = nil,
        opening: @escaping @Sendable () async throws -> DataAccessLayer
    ) {
        let failures = FailureReporter(handler: errorHandler)
        let gate = StoreGate(beforeReady, opening: opening) { error in
            failures.report(ServiceFailure(operation: ServiceOperation(.open), error: error))
        }
        self.init(
            gate, SpaceTree(), parent: nil, level: level, undoLimit: undoLimit, failures: failures)
    }

    /// Makes a child service with a scratch space on top of what this one sees.
    public func makeChild() -> any PersistenceService { child() }

    /// Makes a child, with its type.
    public func child() -> StorePersistenceService {
        StorePersistenceService(
            gate, tree, parent: self, level: level, undoLimit: undoLimit, failures: failures)
    }

    /// Waits until the store can be used.
    public func ready() async throws { _ = try await gate.wait() }
    /// Whether the store can be used.
    public var readiness: Readiness { gate.readiness }
    /// The current readiness, and then its changes.
    public var readinessChanges: AsyncStream<Readiness> { gate.readinessChanges() }
    /// Whether anything is pending in this service itself.
    public var hasPendingChanges: Bool { !tree.isClean([space]) }
    /// How many rows have pending changes in this service itself.
    public var pendingChangeCount: Int { tree.changes(of: [space])[0].count }
    /// The steps that can be undone and redone.
    public var history: StepHistory { tree.history(of: space) }
}
