/// Where a store is kept: a file, memory, or whatever a backend offers.
///
/// Backends add their own: `.sqlite("app.sqlite")` and `.inMemory` come with SQLite.
public struct StoreSource: Sendable, CustomStringConvertible {
    /// The place in words, for messages.
    public let description: String

    private let opener: @Sendable (StoreSchema, StoreOptions) throws -> any PersistentStore

    /// Makes a source of a backend.
    ///
    /// - Parameters:
    ///   - description: The place in words, for messages.
    ///   - open: Opens the store, creating it if there is none. It blocks, and may be called from
    ///     any thread and more than once.
    public init(
        description: String,
        open: @escaping @Sendable (StoreSchema, StoreOptions) throws -> any PersistentStore
    ) {
        self.description = description
        self.opener = open
    }

    /// Opens the store.
    ///
    /// Blocks while files are read.
    public func open(_ schema: StoreSchema, _ options: StoreOptions) throws -> any PersistentStore {
        try opener(schema, options)
    }
}

/// What a backend may need to know to open a store.
public struct StoreOptions: Sendable {
    /// How many reads may run at once, at least 1.
    public var readerCount: Int
    /// Whether nothing may be changed, not even the file's format.
    public var isReadOnly: Bool
    /// How many bytes of pages each connection may keep in memory.
    public var cacheSize: Int
    /// How many bytes a log may have before it should be brought into the main file.
    public var checkpointSize: Int
    /// To how many bytes the file of a log is cut once it starts over, if the backend has one.
    public var logSizeLimit: Int
    /// Who hears about the upkeep of the store, if anybody does.
    public var observer: (any StoreObserver)?

    /// Makes options.
    public init(
        readerCount: Int = 2, isReadOnly: Bool = false, cacheSize: Int = 8 << 20,
        checkpointSize: Int = 4 << 20, logSizeLimit: Int = 64 << 20,
        observer: (any StoreObserver)? = nil
    ) {
        self.readerCount = readerCount
        self.isReadOnly = isReadOnly
        self.cacheSize = cacheSize
        self.checkpointSize = checkpointSize
        self.logSizeLimit = logSizeLimit
        self.observer = observer
    }
}
