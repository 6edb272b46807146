import SkiathosStore

/// A store that stands for one of another backend: it lends no connection.
final class OtherStore: PersistentStore {
    let base: any PersistentStore
    let readers: [any StoreReader] = []
    let writer: any StoreWriter

    init(base: any PersistentStore) {
        self.base = base
        writer = OtherWriter(base: base.writer)
    }

    var schema: StoreSchema { base.schema }
    var isReadOnly: Bool { base.isReadOnly }
    func close() throws { try base.close() }
    func beginBackup(to path: String, overwriting: Bool) throws -> any StoreBackup {
        try base.beginBackup(to: path, overwriting: overwriting)
    }
}

private final class OtherWriter: StoreWriter {
    let base: any StoreWriter

    init(base: any StoreWriter) { self.base = base }

    func read<R>(_ body: (any StoreSession) throws -> R) throws -> R {
        try base.withSession { try body(OtherSession(base: $0)) }
    }

    func withSession<R>(_ body: (any StoreWriteSession) throws -> R) throws -> R {
        try base.withSession { try body(OtherSession(base: $0)) }
    }

    func interrupt() { base.interrupt() }
    func sync() throws { try base.sync() }
}

/// Does what another session does, and lends nothing.
private final class OtherSession: StoreWriteSession {
    let base: any StoreWriteSession

    init(base: any StoreWriteSession) { self.base = base }

    func fetch(_ request: FetchRequest, _ body: (inout RowCursor) throws -> Void) throws {
        try base.fetch(request, body)
    }
    func fetch(entity: Int, id: StoreValue, _ body: (inout RowCursor) throws -> Void) throws {
        try base.fetch(entity: entity, id: id, body)
    }
    func fetch(entity: Int, ids: [StoreValue], _ body: (inout RowCursor) throws -> Void) throws {
        try base.fetch(entity: entity, ids: ids, body)
    }
    func fetch(_ request: ProjectionRequest, _ body: (inout RowCursor) throws -> Void) throws {
        try base.fetch(request, body)
    }
    func search(_ request: SearchRequest, _ body: (inout RowCursor) throws -> Void) throws {
        try base.search(request, body)
    }
    func count(_ request: FetchRequest) throws -> Int { try base.count(request) }
    func exists(_ request: FetchRequest) throws -> Bool { try base.exists(request) }
    func integrityProblems() throws -> [String] { try base.integrityProblems() }
    func explain(_ request: FetchRequest) throws -> QueryExplanation { try base.explain(request) }
    func explain(_ request: ProjectionRequest) throws -> QueryExplanation {
        try base.explain(request)
    }
    func metering<R>(_ meter: (any QueryMeter)?, _ body: () throws -> R) throws -> R {
        try base.metering(meter, body)
    }
    var isInTransaction: Bool { base.isInTransaction }
    func begin() throws { try base.begin() }
    func commit() throws { try base.commit() }
    func rollback() throws { try base.rollback() }
    func openSavepoint() throws { try base.openSavepoint() }
    func releaseSavepoint() throws { try base.releaseSavepoint() }
    func rollbackSavepoint() throws { try base.rollbackSavepoint() }
    func apply(_ changes: [StoreChange]) throws { try base.apply(changes) }
    func update(_ request: FetchRequest, _ assignments: [StoreAssignment]) throws -> Int {
        try base.update(request, assignments)
    }
    func delete(_ request: FetchRequest) throws -> Int { try base.delete(request) }
    func deleteEverything() throws { try base.deleteEverything() }
    func restore(
        from path: String, _ progress: (StoreProgress) throws -> Void
    ) throws -> [Int64] { try base.restore(from: path, progress) }
    func checkReferences() throws { try base.checkReferences() }
    func highestID(of entity: Int) throws -> Int64 { try base.highestID(of: entity) }
    var checkpointNeed: CheckpointNeed { base.checkpointNeed }
    func checkpoint() throws { try base.checkpoint() }
}
