import SkiathosStore

/// The connection of a read, which records what the read depends on.
///
/// Every query passes through it, so none can be missed.
final class TrackingSession: StoreSession {
    // Guarded by the read, as the session below.
    private let base: any StoreSession
    private let schema: StoreSchema
    private let tracker: ReadTracker

    init(_ base: any StoreSession, _ schema: StoreSchema, _ tracker: ReadTracker) {
        self.base = base
        self.schema = schema
        self.tracker = tracker
    }

    var committedVersion: UInt64? { base.committedVersion }
    var checksCancellation: Bool {
        get { base.checksCancellation }
        set { base.checksCancellation = newValue }
    }

    func fetch(_ request: FetchRequest, _ body: (inout RowCursor) throws -> Void) throws {
        tracker.add(request.dependencies(in: schema))
        try base.fetch(request, body)
    }

    func fetch(entity: Int, id: StoreValue, _ body: (inout RowCursor) throws -> Void) throws {
        tracker.add([id], of: entity)
        try base.fetch(entity: entity, id: id, body)
    }

    func fetch(entity: Int, ids: [StoreValue], _ body: (inout RowCursor) throws -> Void) throws {
        tracker.add(ids, of: entity)
        try base.fetch(entity: entity, ids: ids, body)
    }

    func fetch(_ request: ProjectionRequest, _ body: (inout RowCursor) throws -> Void) throws {
        tracker.add(request.dependencies(in: schema))
        try base.fetch(request, body)
    }

    func fetch(_ request: UnionRequest, _ body: (inout RowCursor) throws -> Void) throws {
        tracker.add(request.dependencies(in: schema))
        try base.fetch(request, body)
    }

    func search(_ request: SearchRequest, _ body: (inout RowCursor) throws -> Void) throws {
        // The rank of a row depends on all others.
        tracker.add([ReadDependency(entity: request.rows.entity)])
        tracker.add(request.rows.dependencies(in: schema))
        try base.search(request, body)
    }

    func count(_ request: FetchRequest) throws -> Int {
        tracker.add(request.countDependencies(in: schema))
        return try base.count(request)
    }

    func exists(_ request: FetchRequest) throws -> Bool {
        tracker.add(request.countDependencies(in: schema))
        return try base.exists(request)
    }

    func integrityProblems() throws -> [String] {
        tracker.addEverything()
        return try base.integrityProblems()
    }

    func explain(_ request: FetchRequest) throws -> QueryExplanation { try base.explain(request) }

    func explain(_ request: ProjectionRequest) throws -> QueryExplanation {
        try base.explain(request)
    }

    func metering<R>(_ meter: (any QueryMeter)?, _ body: () throws -> R) throws -> R {
        try base.metering(meter, body)
    }

    func readNatively(_ body: (AnyObject?) throws -> Void) throws {
        // SQL of the closure may read any entity.
        tracker.addEverything()
        try base.readNatively(body)
    }

    func takeStatements() -> RecordedStatements { base.takeStatements() }
}

@available(*, unavailable)
extension TrackingSession: Sendable {}
