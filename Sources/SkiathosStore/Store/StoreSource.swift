/// The location of a store: a file, memory, or another one of a backend.
///
/// Backends add their own: `.sqlite("app.sqlite")` and `.inMemory` come with SQLite.
public struct StoreSource: Sendable, CustomStringConvertible {
    /// The place in words, for messages.
    public let description: String

    private let opener: @Sendable (StoreSchema, StoreOptions) throws -> any PersistentStore
    private let planner: (@Sendable (StoreSchema, StoreOptions) throws -> MigrationPlan)?
    private let rehearsal: (@Sendable (StoreSchema, StoreOptions) throws -> MigrationRehearsal)?
    private let replacement: Replacement?

    /// Replaces a store that is not open by a backup, and returns where the earlier files are.
    public typealias Replacement =
        @Sendable (_ backup: String, _ progress: (StoreProgress) throws -> Void) throws -> String?

    /// Makes a source of a backend.
    ///
    /// - Parameters:
    ///   - description: The place in words, for messages.
    ///   - open: Opens the store, creating it if there is none. It blocks, and may be called from
    ///     any thread and more than once.
    ///   - plan: Plans what opening for writing would change, without changing anything; `nil`
    ///     if the backend cannot.
    ///   - rehearse: Makes the changes on a copy of the store; `nil` if the backend cannot.
    ///   - replace: Puts a backup in the place of the store, whole or not at all; `nil` if the backend
    ///     cannot.
    public init(
        description: String,
        open: @escaping @Sendable (StoreSchema, StoreOptions) throws -> any PersistentStore,
        plan: (@Sendable (StoreSchema, StoreOptions) throws -> MigrationPlan)? = nil,
        rehearse: (@Sendable (StoreSchema, StoreOptions) throws -> MigrationRehearsal)? = nil,
        replace: Replacement? = nil
    ) {
        self.description = description
        self.opener = open
        self.planner = plan
        self.rehearsal = rehearse
        self.replacement = replace
    }

    /// Plans what opening the store for writing would change, without changing anything.
    ///
    /// - Throws: ``StoreError`` with code `unsupportedBackend` if the backend cannot plan, and
    ///   the errors of reading the store.
    public func plan(_ schema: StoreSchema, _ options: StoreOptions) throws -> MigrationPlan {
        guard let planner else {
            throw unsupported("plan a migration", "Open the store to migrate it.")
        }
        return try planner(schema, options)
    }

    /// Makes the changes on a copy of the store (a dry run), and returns a report.
    ///
    /// - Throws: ``StoreError`` with code `unsupportedBackend` if the backend cannot, and the
    ///   errors of copying the store.
    public func rehearse(
        _ schema: StoreSchema, _ options: StoreOptions
    ) throws -> MigrationRehearsal {
        guard let rehearsal else {
            throw unsupported("rehearse a migration", "Open the store to migrate it.")
        }
        return try rehearsal(schema, options)
    }

    /// Puts a backup in the place of the store, which is not open.
    ///
    /// - Returns: The path of a directory with the earlier files; `nil` if there were none.
    /// - Throws: ``StoreError`` with code `unsupportedBackend` if the backend cannot, and the errors of
    ///   copying the backup.
    public func replace(
        with backup: String, _ progress: (StoreProgress) throws -> Void
    ) throws -> String? {
        guard let replacement else {
            throw unsupported("be replaced by a file", "Restore the backup into the open store.")
        }
        return try replacement(backup, progress)
    }

    private func unsupported(_ action: String, _ advice: String) -> StoreError {
        StoreError(
            .unsupportedBackend, "The backend of \(description) cannot \(action). \(advice)")
    }

    /// Opens the store.
    ///
    /// Blocks while files are read.
    public func open(_ schema: StoreSchema, _ options: StoreOptions) throws -> any PersistentStore {
        try opener(schema, options)
    }
}

/// The options of a backend for opening a store.
public struct StoreOptions: Sendable {
    /// How many reads may run at once, at least 1.
    public var readerCount: Int
    /// Whether nothing may be changed, not even the file's format.
    public var isReadOnly: Bool
    /// How many bytes of pages each connection may keep in memory.
    public var cacheSize: Int
    /// How many bytes a WAL may have before it should be checkpointed.
    public var checkpointSize: Int
    /// The size in bytes to which the file of a WAL is truncated when it restarts, if the
    /// backend has one.
    public var walSizeLimit: Int
    /// Whether a store is opened although its WAL has lost acknowledged commits.
    public var acceptsIncompleteWAL: Bool
    /// The observer of the store's maintenance, if any.
    public var observer: (any StoreObserver)?
    /// The steps from older schemas to the current one, the oldest first.
    public var migrations: [StoreMigration]
    /// The names of the triggers, views and virtual tables that the program adds past its entities.
    ///
    /// A store with others is refused, if the backend has such things.
    public var declaredObjects: Set<String>
    /// Called with the progress of the steps, on the thread that opens the store.
    public var migrationProgress: (@Sendable (MigrationProgress) -> Void)?
    /// What is recorded of statements; `nil` if nothing is.
    public var statements: StatementRecording?
    /// Whether the opening was given up; asked on the thread that opens the store.
    ///
    /// A migration that is under way is rolled back then, and the opening throws `CancellationError`.
    public var isCancelled: (@Sendable () -> Bool)?

    /// Makes options.
    public init(
        readerCount: Int = 2, isReadOnly: Bool = false, cacheSize: Int = 32 << 20,
        checkpointSize: Int = 16 << 20, walSizeLimit: Int = 64 << 20,
        acceptsIncompleteWAL: Bool = false, observer: (any StoreObserver)? = nil,
        migrations: [StoreMigration] = [],
        migrationProgress: (@Sendable (MigrationProgress) -> Void)? = nil,
        declaredObjects: Set<String> = [], statements: StatementRecording? = nil
    ) {
        self.readerCount = readerCount
        self.isReadOnly = isReadOnly
        self.cacheSize = cacheSize
        self.checkpointSize = checkpointSize
        self.walSizeLimit = walSizeLimit
        self.acceptsIncompleteWAL = acceptsIncompleteWAL
        self.observer = observer
        self.migrations = migrations
        self.declaredObjects = declaredObjects
        self.migrationProgress = migrationProgress
        self.statements = statements
    }
}
