public import SkiathosStore

/// An application's access to its data: one object with two verbs, `read` and `write`.
///
/// ```swift
/// let dal = try await DataAccessLayer.open(.sqlite("app.sqlite"), entities: Company.self, User.self)
/// let id = try await dal.write { try User.create(in: $0) { $0.firstname = "Ada" }.id }
/// let ada = try await dal.read { try User.find(id, in: $0) }
/// try await dal.close()
/// ```
///
/// - Reads return values, which may be used anywhere. Writes use objects, which cannot escape.
/// - Every later read, from any task, sees the changes of a write that has returned.
/// - A write that fails changes nothing, and does not affect other writes.
/// - Writes run one at a time in the order of their arrival, and each closure exactly once.
///
/// It can be shared by any number of tasks and threads. A store that was not closed is closed
/// when the last reference is released; nothing that was committed is lost in any case.
public final class DataAccessLayer: Sendable {
    let coordinator: AccessCoordinator
    let attachments = Attachments()

    /// Opens a store, creating it if there is none, and blocks meanwhile.
    ///
    /// - Parameters:
    ///   - source: Where the store is: `.sqlite("app.sqlite")` or `.inMemory`.
    ///   - entities: All entities that the store holds.
    ///   - configuration: Everything else.
    /// - Throws: `StoreError` if the entities contradict each other, or if the store cannot be
    ///   opened, is damaged, in use, or has another schema that needs a declared step. The file is
    ///   left as it was.
    @available(
        *, noasync, message: "Use `try await DataAccessLayer.open(…)`, which blocks no thread."
    )
    public convenience init(
        _ source: StoreSource, entities: any Entity.Type...,
        configuration: Configuration = Configuration()
    ) throws {
        try self.init(opening: source, entities, configuration)
    }

    /// Opens a store whose entities are computed, and blocks meanwhile.
    ///
    /// ```swift
    /// let entities: [any Entity.Type] = [Company.self, User.self] + plugins.flatMap(\.entities)
    /// let dal = try DataAccessLayer(.sqlite("app.sqlite"), entities: entities)
    /// ```
    ///
    /// Has the same parameters and errors as the initialiser whose entities are listed.
    @available(
        *, noasync, message: "Use `try await DataAccessLayer.open(…)`, which blocks no thread."
    )
    public convenience init(
        _ source: StoreSource, entities: [any Entity.Type],
        configuration: Configuration = Configuration()
    ) throws {
        try self.init(opening: source, entities, configuration)
    }

    /// Exists only for its diagnostic: without this overload the compiler would list the
    /// others.
    @available(*, unavailable, message: "this type is not an Entity: mark it @Entity.")
    public convenience init<Other>(
        _ source: StoreSource, entities: Other.Type, configuration: Configuration = Configuration()
    ) throws {
        try self.init(opening: source, [], configuration)
    }

    /// Opens a store, creating it if there is none, without blocking the caller's thread.
    ///
    /// Has the same parameters and errors as the initialiser. If the task is cancelled while the store is
    /// migrated, the migration is rolled back, and `CancellationError` is thrown.
    public static func open(
        _ source: StoreSource, entities: any Entity.Type...,
        configuration: Configuration = Configuration()
    ) async throws -> DataAccessLayer {
        try await open(source, entities: entities, configuration: configuration)
    }

    /// Opens a store whose entities are computed.
    public static func open(
        _ source: StoreSource, entities: [any Entity.Type],
        configuration: Configuration = Configuration()
    ) async throws -> DataAccessLayer {
        let configuration = configuration.withMetricsFactory()
        return try await offPool { isCancelled in
            try DataAccessLayer(opening: source, entities, configuration, isCancelled)
        }
    }

    /// Exists only for its diagnostic: without this overload the compiler would list the
    /// others.
    @available(*, unavailable, message: "this type is not an Entity: mark it @Entity.")
    public static func open<Other>(
        _ source: StoreSource, entities: Other.Type, configuration: Configuration = Configuration()
    ) async throws -> DataAccessLayer {
        try await open(source, entities: [], configuration: configuration)
    }

    private init(
        opening source: StoreSource, _ entities: [any Entity.Type], _ configuration: Configuration,
        _ isCancelled: (@Sendable () -> Bool)? = nil
    ) throws {
        let schema = try Self.schema(entities)
        let monitor = StoreMonitor(configuration)
        let log = configuration.statementLog
        let logger = log.map { StatementLogger($0, configuration) }
        let recording = logger.flatMap { logger in log?.recording { logger.migrated($0) } }
        var options = try configuration.storeOptions(monitor, recording)
        options.isCancelled = isCancelled
        let store = try source.open(schema, options)
        coordinator = try AccessCoordinator(
            store: logger.map { RecordingStore(store, $0) } ?? store, logger: logger,
            traits: try EntityTraits.all(entities, in: schema),
            configuration: configuration, monitor: monitor)
    }

    /// The problems of the store, in sentences without values of rows; empty if it is sound.
    ///
    /// Reads every page of the store, so it takes about as long as copying it.
    @available(*, noasync, message: "Use `try await dal.integrityProblems()`.")
    public func integrityProblems(
        file: StaticString = #fileID, line: UInt = #line
    ) throws -> [String] {
        try coordinator.read(SourcePlace(file: file, line: line)) {
            try $0.query { try $0.integrityProblems() }
        }
    }

    /// The problems of the store, in sentences without values of rows; empty if it is sound.
    public func integrityProblems(
        file: StaticString = #fileID, line: UInt = #line
    ) async throws -> [String] {
        // SQLite walks through a whole tree without a call of the progress handler.
        try await coordinator.read(SourcePlace(file: file, line: line), checkingCancellation: false)
        {
            try $0.query { try $0.integrityProblems() }
        }
    }
}
