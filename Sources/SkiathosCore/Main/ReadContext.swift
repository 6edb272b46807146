public import SkiathosStore

/// A snapshot of the store: all that was committed when the read began, and nothing later.
///
/// Valid only inside the closure of the `read` that made it, and never in another task: the
/// compiler does not let it escape. It has no call that changes anything.
public final class ReadContext {
    /// The entities of the store.
    public let schema: StoreSchema

    // Guarded by the read: its closure runs on one thread at a time. Exclusive access is not
    // checked at run time, which would cost as much as finding a row in a cache. Each of these
    // fields is read or written in one step, and never lent to other code.
    @exclusivity(unchecked) private var session: (any StoreSession)?
    @exclusivity(unchecked) private var interruption: Interruption?
    private let stop: CancellationFlag
    /// Counts the queries, if this read has a budget; guarded like the session.
    @exclusivity(unchecked) package var meter: BudgetMeter?
    /// The load groups, once a relationship or several rows were fetched; guarded like the session.
    @exclusivity(unchecked) private var loadGroups: LoadGroups?

    /// The cached rows, if rows are cached, and the version that this read sees.
    private let caches: RowCaches?
    @exclusivity(unchecked) @usableFromInline var version = CachedVersion.none
    /// The caches that this context has used, by the position of their entity.
    private let knownCaches: UnsafeMutablePointer<AnyRowCache?>

    /// Commits the open batch on the connection of this read, if writes share that connection.
    @exclusivity(unchecked) private var commitBatch: (() -> Void)?

    /// Makes a context that is used for one read at a time.
    init(schema: StoreSchema, stop: CancellationFlag, caches: RowCaches?) {
        self.schema = schema
        self.stop = stop
        self.caches = caches
        knownCaches = .allocate(capacity: schema.entities.count)
        knownCaches.initialize(repeating: nil, count: schema.entities.count)
    }

    deinit {
        knownCaches.deinitialize(count: schema.entities.count)
        knownCaches.deallocate()
    }

    /// Makes the context usable until ``end()``.
    func begin(
        _ session: any StoreSession, _ interruption: Interruption?,
        commitBatch: (() -> Void)? = nil
    ) {
        self.session = session
        self.interruption = interruption
        self.commitBatch = commitBatch
        if caches != nil { version = session.committedVersion ?? CachedVersion.none }
    }

    /// Records from now on which entities are read.
    func track(_ tracker: ReadTracker) {
        session = session.map { TrackingSession($0, schema, tracker) }
        // It must see every query.
        version = CachedVersion.none
    }

    /// Makes every further use an error.
    func end() {
        session = nil
        version = CachedVersion.none
        interruption = nil
        commitBatch = nil
        loadGroups?.removeAll()
    }

    /// The load groups of this read, for loading relationships.
    var batches: LoadGroups {
        if let loadGroups { return loadGroups }
        let groups = LoadGroups()
        loadGroups = groups
        return groups
    }
}

@available(*, unavailable, message: "a context stays in the closure that it was given to.")
extension ReadContext: Sendable {}

extension ReadContext: QueryContext {
    /// Runs a closure with the connection of this read.
    public func query<R>(_ body: (any StoreSession) throws -> R) throws -> R {
        guard let session else { throw DataAccessError.contextEnded("read") }
        try checkStop()
        guard let meter else { return try body(session) }
        return try session.metering(meter) { try body(session) }
    }

    /// The cache of an entity, if this read may use it.
    ///
    /// A read with a budget uses no cache, so that every row is counted.
    @inlinable
    func rowCache<E: Entity>(of entity: E.Type, at position: Int) throws -> RowCache<E>? {
        guard version != CachedVersion.none else { return nil }
        guard let cache = try knownCache(at: position) ?? makeCache(of: E.self, at: position) else {
            return nil
        }
        return unsafeDowncast(cache, to: RowCache<E>.self)
    }

    @usableFromInline
    func knownCache(at position: Int) throws -> AnyRowCache? {
        try checkStop()
        return meter == nil ? knownCaches[position] : nil
    }

    @usableFromInline
    func makeCache<E: Entity>(of entity: E.Type, at position: Int) -> AnyRowCache? {
        guard meter == nil, let caches else { return nil }
        let cache = caches.cache(of: E.self, at: position)
        knownCaches[position] = cache
        return cache
    }

    /// Fetches the row with an ID, if it exists.
    @usableFromInline
    func fetch(
        entity: Int, id: StoreValue, _ body: (inout RowCursor) throws -> Void
    ) throws {
        guard let session else { throw DataAccessError.contextEnded("read") }
        try checkStop()
        guard let meter else { return try session.fetch(entity: entity, id: id, body) }
        try session.metering(meter) { try session.fetch(entity: entity, id: id, body) }
    }
}

extension ReadContext {
    /// Throws once the read was cancelled, or its data access layer shut down.
    func checkStop() throws {
        try interruption?.check()
        try stop.check()
    }

    /// Lends the connection as the backend's own library knows it, or `nil` if the backend has
    /// none.
    package func readNatively(_ body: (AnyObject?) throws -> Void) throws {
        guard let session else { throw DataAccessError.contextEnded("read") }
        try checkStop()
        // A closure that ends the transaction must not end that of writes.
        commitBatch?()
        try session.readNatively(body)
    }
}
