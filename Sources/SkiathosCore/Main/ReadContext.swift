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
    /// The connection; `nil` after the end, and between the statements of a read that has reserved
    /// its snapshot.
    ///
    /// Not retained, which costs a part of finding a row: the read, or its statement, keeps it.
    @exclusivity(unchecked) private unowned(unsafe) var session: (any StoreSession)?
    /// The connection as the tracker sees it; kept for `session`.
    @exclusivity(unchecked) private var trackingSession: TrackingSession?
    /// The connection that a read may reserve.
    private let connection: (any StoreReader)?
    /// What this read has of that connection.
    @usableFromInline
    enum Reserved {
        case nothing
        /// Its first statement takes the snapshot.
        case connection
        case snapshot
    }
    @exclusivity(unchecked) @usableFromInline private(set) var reserved = Reserved.nothing
    /// Whether this read has used that connection, or is tracked.
    @exclusivity(unchecked) private(set) var hasUsedReserved = false
    /// Records which entities are read, if that was asked for.
    @exclusivity(unchecked) private var tracker: ReadTracker?
    @exclusivity(unchecked) @usableFromInline private(set) var cancellation = Cancellation.ignored
    @usableFromInline let stop: CancellationFlag
    /// Counts the queries, if this read has a budget; guarded like the session.
    @exclusivity(unchecked) package var meter: BudgetMeter? {
        // Found again by the next look-up, unless it must be counted.
        didSet { lastType = nil }
    }
    /// The load groups, once a relationship or several rows were fetched; guarded like the session.
    @exclusivity(unchecked) @usableFromInline private(set) var loadGroups: LoadGroups?
    /// The same, for look-ups that shall not retain them; never replaced, and guarded like them.
    @exclusivity(unchecked) @usableFromInline private(set) var lentGroups: Unmanaged<LoadGroups>?

    /// The cached rows, if rows are cached, and the version that this read sees.
    private let caches: RowCaches?
    @exclusivity(unchecked) @usableFromInline var version = CachedVersion.none
    /// The caches that this context has used, by the position of their entity.
    ///
    /// Not retained, which costs more than a look-up: `caches` keeps them.
    private let knownCaches: UnsafeMutablePointer<Unmanaged<AnyRowCache>?>
    /// The entity whose cache was used last, and that cache; `nil` with a budget.
    @exclusivity(unchecked) @usableFromInline var lastType: ObjectIdentifier?
    @exclusivity(unchecked) @usableFromInline var lastCache: Unmanaged<AnyRowCache>?

    /// Commits the open batch on the connection of this read, if writes share that connection.
    @exclusivity(unchecked) private var commitBatch: (() -> Void)?

    /// Makes a context that is used for one read at a time.
    ///
    /// - Parameter connection: That which its reads may reserve.
    init(
        schema: StoreSchema, stop: CancellationFlag, caches: RowCaches?,
        connection: (any StoreReader)? = nil
    ) {
        self.schema = schema
        self.connection = connection
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
        _ session: any StoreSession, _ cancellation: Cancellation,
        commitBatch: (() -> Void)? = nil
    ) {
        self.session = session
        self.cancellation = cancellation
        if cancellation.isPolled { session.checksCancellation = true }
        self.commitBatch = commitBatch
        if caches != nil { version = session.committedVersion ?? CachedVersion.none }
    }

    /// Makes the context usable until ``end()``, for a read that has reserved a connection and needs it
    /// for its statements alone.
    @inline(__always)
    func begin(_ reservation: ReadReservation, _ cancellation: Cancellation) {
        reserved = reservation.hasSnapshot ? .snapshot : .connection
        version = reservation.version
        if !cancellation.isIgnored { self.cancellation = cancellation }
    }

    /// Records from now on which entities are read.
    func track(_ tracker: ReadTracker) {
        self.tracker = tracker
        // It will, and the end need not look at the tracker.
        hasUsedReserved = true
        if let session { beginTracking(session, tracker) }
        // It must see every query.
        version = CachedVersion.none
    }

    /// Uses a connection as a tracker sees it; returns that.
    @discardableResult
    private func beginTracking(
        _ base: any StoreSession, _ tracker: ReadTracker
    ) -> TrackingSession {
        let tracking = TrackingSession(base, schema, tracker)
        trackingSession = tracking
        session = tracking
        return tracking
    }

    /// Makes every further use an error.
    func end() {
        if cancellation.isPolled { session?.checksCancellation = false }
        session = nil
        commitBatch = nil
        endReserved()
    }

    /// Makes every further use an error, after ``begin(_:_:)``.
    @inline(__always)
    func endReserved() {
        version = CachedVersion.none
        reserved = .nothing
        if !cancellation.isIgnored { cancellation = .ignored }
        if hasUsedReserved || loadGroups != nil { clear() }
    }

    private func clear() {
        loadGroups?.removeAll()
        hasUsedReserved = false
        tracker = nil
        trackingSession = nil
    }

    /// Runs a closure with the connection, which it has for the statements of the closure alone where
    /// the read has reserved its snapshot.
    private func withSession<R>(_ body: (any StoreSession) throws -> R) throws -> R {
        if let session { return try body(session) }
        return try withResultSlot { slot in
            try withReserved { session in try slot.fill { try body(session) } }
        }
    }

    private func withReserved(_ body: (any StoreSession) throws -> Void) throws {
        guard reserved != .nothing, let connection else {
            throw DataAccessError.contextEnded("read")
        }
        hasUsedReserved = true
        try connection.readReserved { (base: any StoreSession) -> Void in
            reserved = .snapshot
            session = base
            if cancellation.isPolled { base.checksCancellation = true }
            defer {
                if cancellation.isPolled { base.checksCancellation = false }
                session = nil
            }
            // A read that has begun during a commit has the version before or after it until now.
            if !version.isMultiple(of: 2) { version = base.committedVersion ?? CachedVersion.none }
            guard let tracker else { return try body(base) }
            try body(beginTracking(base, tracker))
        }
    }

    /// The load groups of this read, for loading relationships.
    @usableFromInline var batches: LoadGroups {
        if let loadGroups { return loadGroups }
        let groups = LoadGroups()
        loadGroups = groups
        lentGroups = .passUnretained(groups)
        return groups
    }
}

@available(*, unavailable, message: "a context stays in the closure that it was given to.")
extension ReadContext: Sendable {}

extension ReadContext: QueryContext {
    /// Runs a closure with the connection of this read.
    public func query<R>(_ body: (any StoreSession) throws -> R) throws -> R {
        try checkStop()
        return try withSession { session in
            guard let meter else { return try body(session) }
            return try session.metering(meter) { try body(session) }
        }
    }

    /// The row with an ID, if it is cached and this read may use the cache.
    @inlinable @inline(__always)
    func cachedRow<E: Entity>(_ key: E.RawID) throws -> E? {
        let version = version
        guard version != CachedVersion.none,
            let cache = try lastCache(of: ObjectIdentifier(E.self)) ?? findCache(of: E.self)
        else { return nil }
        return cache._withUnsafeGuaranteedRef {
            unsafeDowncast($0, to: RowCache<E>.self).value(key, in: version)
        }
    }

    /// Runs a closure with the cache of an entity, if this read may use it; `nil` if not.
    ///
    /// A read with a budget uses no cache, so that every row is counted.
    @inlinable @inline(__always)
    func withRowCache<E: Entity, R>(
        of entity: E.Type, _ body: (RowCache<E>) throws -> R?
    ) throws -> R? {
        guard version != CachedVersion.none,
            let cache = try lastCache(of: ObjectIdentifier(E.self)) ?? findCache(of: E.self)
        else { return nil }
        return try cache._withUnsafeGuaranteedRef {
            try body(unsafeDowncast($0, to: RowCache<E>.self))
        }
    }

    /// The cache that was used last, if it is that of a type and this read may use it.
    @inlinable @inline(__always)
    func lastCache(of type: ObjectIdentifier) throws -> Unmanaged<AnyRowCache>? {
        try checkStop()
        return type == lastType ? lastCache : nil
    }

    @usableFromInline
    func findCache<E: Entity>(of entity: E.Type) throws -> Unmanaged<AnyRowCache>? {
        guard meter == nil, let caches else { return nil }
        let position = try position(of: E.self)
        let cache =
            knownCaches[position]
            ?? Unmanaged.passUnretained(caches.cache(of: E.self, at: position))
        knownCaches[position] = cache
        lastType = ObjectIdentifier(E.self)
        lastCache = cache
        return cache
    }

    /// Fetches the row with an ID, if it exists.
    @usableFromInline
    func fetch(
        entity: Int, id: StoreValue, _ body: (inout RowCursor) throws -> Void
    ) throws {
        guard meter == nil else {
            return try query { try $0.fetch(entity: entity, id: id, body) }
        }
        // Without the closures around a result, which take as long as a part of the look-up.
        try checkStop()
        if let session { return try session.fetch(entity: entity, id: id, body) }
        try withReserved { try $0.fetch(entity: entity, id: id, body) }
    }

    /// Fetches the row with an ID, if it exists, in an earlier snapshot, if the connection has one.
    ///
    /// - Parameter isUseful: Whether a row of a version is of use.
    /// - Returns: The version in which the row was looked up; `nil` if it was not.
    @usableFromInline
    func fetchEarlier(
        entity: Int, id: StoreValue, if isUseful: (_ version: UInt64) -> Bool,
        _ body: (inout RowCursor) throws -> Void
    ) throws -> UInt64? {
        try checkStop()
        guard let connection, tracker == nil, meter == nil else { return nil }
        var earlier: UInt64?
        do {
            try connection.readEarlier { session, version in
                guard isUseful(version) else { return }
                try session.fetch(entity: entity, id: id, body)
                earlier = version
            }
        } catch {
            // The connection must not keep that snapshot.
            hasUsedReserved = true
            throw error
        }
        return earlier
    }
}

extension ReadContext {
    /// Throws once the read was cancelled, or its data access layer shut down.
    @inlinable @inline(__always)
    func checkStop() throws {
        try cancellation.check()
        if stop.isSet { throw CancellationFlag.refusal }
    }

    /// Lends the connection as the backend's own library knows it, or `nil` if the backend has
    /// none.
    package func readNatively(_ body: (AnyObject?) throws -> Void) throws {
        try checkStop()
        // A closure that ends the transaction must not end that of writes.
        commitBatch?()
        try withSession { try $0.readNatively(body) }
    }
}
