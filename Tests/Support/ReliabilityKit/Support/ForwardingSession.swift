package import SkiathosStore

/// A session that does what another one does, for those that change a little of it.
package class ForwardingSession: StoreWriteSession {
    package let base: any StoreWriteSession

    package init(_ base: any StoreWriteSession) { self.base = base }

    package func fetch(
        _ request: FetchRequest, _ body: (inout RowCursor) throws -> Void
    ) throws { try base.fetch(request, body) }

    package func fetch(
        entity: Int, id: StoreValue, _ body: (inout RowCursor) throws -> Void
    ) throws { try base.fetch(entity: entity, id: id, body) }

    package func fetch(
        entity: Int, ids: [StoreValue], _ body: (inout RowCursor) throws -> Void
    ) throws { try base.fetch(entity: entity, ids: ids, body) }

    package func fetch(
        _ request: ProjectionRequest, _ body: (inout RowCursor) throws -> Void
    ) throws { try base.fetch(request, body) }

    package func search(
        _ request: SearchRequest, _ body: (inout RowCursor) throws -> Void
    ) throws { try base.search(request, body) }

    package func count(_ request: FetchRequest) throws -> Int { try base.count(request) }
    package func exists(_ request: FetchRequest) throws -> Bool { try base.exists(request) }
    package func integrityProblems() throws -> [String] { try base.integrityProblems() }

    package func explain(_ request: FetchRequest) throws -> QueryExplanation {
        try base.explain(request)
    }

    package func explain(_ request: ProjectionRequest) throws -> QueryExplanation {
        try base.explain(request)
    }

    package func metering<R>(
        _ meter: (any QueryMeter)?, _ body: () throws -> R
    ) throws -> R { try base.metering(meter, body) }

    package func readNatively(_ body: (AnyObject?) throws -> Void) throws {
        try base.readNatively(body)
    }

    package func writeNatively(_ body: (AnyObject?) throws -> Void) throws -> NativeChanges {
        try base.writeNatively(body)
    }

    package var isInTransaction: Bool { base.isInTransaction }
    package func begin() throws { try base.begin() }
    package func commit() throws { try base.commit() }
    package func rollback() throws { try base.rollback() }
    package func openSavepoint() throws { try base.openSavepoint() }
    package func releaseSavepoint() throws { try base.releaseSavepoint() }
    package func rollbackSavepoint() throws { try base.rollbackSavepoint() }
    package func apply(_ changes: [StoreChange]) throws { try base.apply(changes) }

    package func update(
        _ request: FetchRequest, _ assignments: [StoreAssignment]
    ) throws -> Int { try base.update(request, assignments) }

    package func delete(_ request: FetchRequest) throws -> Int { try base.delete(request) }
    package func deleteEverything() throws { try base.deleteEverything() }
    package func restore(
        from path: String, _ progress: (StoreProgress) throws -> Void
    ) throws -> [Int64] { try base.restore(from: path, progress) }

    package func checkReferences() throws { try base.checkReferences() }
    package func highestID(of entity: Int) throws -> Int64 { try base.highestID(of: entity) }
    package var checkpointNeed: CheckpointNeed { base.checkpointNeed }
    package func checkpoint() throws { try base.checkpoint() }
}
