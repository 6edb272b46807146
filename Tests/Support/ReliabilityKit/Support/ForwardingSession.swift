public import SkiathosStore

/// A session that does what another one does, for those that change a little of it.
open class ForwardingSession: StoreWriteSession {
    /// The session that does the work.
    public let base: any StoreWriteSession

    /// Does what a session does.
    public init(_ base: any StoreWriteSession) { self.base = base }

    open var committedVersion: UInt64? { base.committedVersion }

    open var checksCancellation: Bool {
        get { base.checksCancellation }
        set { base.checksCancellation = newValue }
    }

    open func fetch(
        _ request: FetchRequest, _ body: (inout RowCursor) throws -> Void
    ) throws { try base.fetch(request, body) }

    open func fetch(
        entity: Int, id: StoreValue, _ body: (inout RowCursor) throws -> Void
    ) throws { try base.fetch(entity: entity, id: id, body) }

    open func fetch(
        entity: Int, ids: [StoreValue], _ body: (inout RowCursor) throws -> Void
    ) throws { try base.fetch(entity: entity, ids: ids, body) }

    open func fetch(
        _ request: ProjectionRequest, _ body: (inout RowCursor) throws -> Void
    ) throws { try base.fetch(request, body) }

    open func fetch(
        _ request: UnionRequest, _ body: (inout RowCursor) throws -> Void
    ) throws { try base.fetch(request, body) }

    open func search(
        _ request: SearchRequest, _ body: (inout RowCursor) throws -> Void
    ) throws { try base.search(request, body) }

    open func count(_ request: FetchRequest) throws -> Int { try base.count(request) }
    open func exists(_ request: FetchRequest) throws -> Bool { try base.exists(request) }
    open func integrityProblems() throws -> [String] { try base.integrityProblems() }

    open func explain(_ request: FetchRequest) throws -> QueryExplanation {
        try base.explain(request)
    }

    open func explain(_ request: ProjectionRequest) throws -> QueryExplanation {
        try base.explain(request)
    }

    open func metering<R>(
        _ meter: (any QueryMeter)?, _ body: () throws -> R
    ) throws -> R { try base.metering(meter, body) }

    open func readNatively(_ body: (AnyObject?) throws -> Void) throws {
        try base.readNatively(body)
    }

    open func makeIDList() -> any StoreIDList { base.makeIDList() }

    open func takeStatements() -> RecordedStatements { base.takeStatements() }

    open func writeNatively(_ body: (AnyObject?) throws -> Void) throws -> NativeChanges {
        try base.writeNatively(body)
    }

    open var isInTransaction: Bool { base.isInTransaction }
    open func begin() throws { try base.begin() }
    open func commit() throws { try base.commit() }
    open func rollback() throws { try base.rollback() }
    open func openSavepoint() throws { try base.openSavepoint() }
    open func releaseSavepoint() throws { try base.releaseSavepoint() }
    open func rollbackSavepoint() throws { try base.rollbackSavepoint() }
    open func apply(_ changes: [StoreChange]) throws { try base.apply(changes) }

    open func insertAlone(_ row: any RowSource, into entity: Int) throws -> LoneInsertion {
        try base.insertAlone(row, into: entity)
    }

    open func update(
        _ request: FetchRequest, _ assignments: [StoreAssignment]
    ) throws -> Int { try base.update(request, assignments) }

    open func delete(_ request: FetchRequest) throws -> Int { try base.delete(request) }
    open func deleteEverything() throws { try base.deleteEverything() }
    open func restore(
        from path: String, _ progress: (StoreProgress) throws -> Void
    ) throws -> [Int64] { try base.restore(from: path, progress) }

    open func recordingChanges(
        of entities: Set<Int>, limit: RecordingLimit, _ body: () throws -> Void
    ) throws -> RecordedRowChanges? {
        try base.recordingChanges(of: entities, limit: limit, body)
    }

    open func checkReferences() throws { try base.checkReferences() }
    open func highestID(of entity: Int) throws -> Int64 { try base.highestID(of: entity) }
    open var checkpointNeed: CheckpointNeed { base.checkpointNeed }
    open var isWALLong: Bool { base.isWALLong }
    open func checkpoint() throws { try base.checkpoint() }
}
