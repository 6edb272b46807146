import Locks
import SkiathosStore
import Synchronization

/// The entities whose rows a read has read.
final class ReadTracker: Sendable {
    private let read = Lock<EntityMask>([])

    var entities: EntityMask { read.withLock { $0 } }

    func note(_ entities: EntityMask) { read.withLock { $0.formUnion(entities) } }
}

/// The connection of a read, which records the entities that are read.
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

    func fetch(_ request: FetchRequest, _ body: (inout RowCursor) throws -> Void) throws {
        note(request)
        try base.fetch(request, body)
    }

    func fetch(entity: Int, id: StoreValue, _ body: (inout RowCursor) throws -> Void) throws {
        tracker.note(EntityMask(entity: entity))
        try base.fetch(entity: entity, id: id, body)
    }

    func fetch(entity: Int, ids: [StoreValue], _ body: (inout RowCursor) throws -> Void) throws {
        tracker.note(EntityMask(entity: entity))
        try base.fetch(entity: entity, ids: ids, body)
    }

    func fetch(_ request: ProjectionRequest, _ body: (inout RowCursor) throws -> Void) throws {
        note(request.readEntities(in: schema))
        try base.fetch(request, body)
    }

    func fetch(_ request: UnionRequest, _ body: (inout RowCursor) throws -> Void) throws {
        note(request.readEntities(in: schema))
        try base.fetch(request, body)
    }

    func search(_ request: SearchRequest, _ body: (inout RowCursor) throws -> Void) throws {
        note(request.rows)
        try base.search(request, body)
    }

    func count(_ request: FetchRequest) throws -> Int {
        note(request)
        return try base.count(request)
    }

    func exists(_ request: FetchRequest) throws -> Bool {
        note(request)
        return try base.exists(request)
    }

    func integrityProblems() throws -> [String] {
        tracker.note(.all)
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
        tracker.note(.all)
        try base.readNatively(body)
    }

    func takeStatements() -> RecordedStatements { base.takeStatements() }

    /// Records every entity on which the rows of a request depend.
    private func note(_ request: FetchRequest) { note(request.readEntities(in: schema)) }

    private func note(_ entities: Set<Int>) {
        for entity in entities { tracker.note(EntityMask(entity: entity)) }
    }
}

@available(*, unavailable)
extension TrackingSession: Sendable {}
