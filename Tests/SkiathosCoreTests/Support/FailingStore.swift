import SkiathosStore
import Synchronization

/// A store in memory whose commits fail while the test says so, and whose queries are counted.
final class FailingStore: PersistentStore {
    /// What a test does to a store and learns of it.
    final class Control: Sendable {
        let refusesCommits = Atomic(false)
        let queries = Atomic(0)

        func refuseCommits(_ refuses: Bool) {
            refusesCommits.store(refuses, ordering: .sequentiallyConsistent)
        }
        var queryCount: Int { queries.load(ordering: .sequentiallyConsistent) }
    }

    private let base: any PersistentStore
    let writer: any StoreWriter

    init(_ base: any PersistentStore, _ control: Control) {
        self.base = base
        writer = FailingWriter(base.writer, control)
    }

    var schema: StoreSchema { base.schema }
    var readers: [any StoreReader] { [] }
    var isReadOnly: Bool { base.isReadOnly }
    func close() throws { try base.close() }
}

private final class FailingWriter: StoreWriter {
    private let base: any StoreWriter
    private let control: FailingStore.Control

    init(_ base: any StoreWriter, _ control: FailingStore.Control) {
        self.base = base
        self.control = control
    }

    func read<R>(_ body: (any StoreSession) throws -> R) throws -> R {
        try base.withSession { try body(FailingSession($0, control)) }
    }
    func interrupt() { base.interrupt() }
    func withSession<R>(_ body: (any StoreWriteSession) throws -> R) throws -> R {
        try base.withSession { try body(FailingSession($0, control)) }
    }
    func sync() throws { try base.sync() }
}

private final class FailingSession: StoreWriteSession {
    private let base: any StoreWriteSession
    private let control: FailingStore.Control

    init(_ base: any StoreWriteSession, _ control: FailingStore.Control) {
        self.base = base
        self.control = control
    }

    private func count() { control.queries.wrappingAdd(1, ordering: .sequentiallyConsistent) }

    func commit() throws {
        if control.refusesCommits.load(ordering: .sequentiallyConsistent) {
            throw StoreError(.diskFull, "The test has filled the disk.")
        }
        try base.commit()
    }

    func fetch(_ request: FetchRequest, _ body: (inout RowCursor) throws -> Void) throws {
        count()
        try base.fetch(request, body)
    }
    func fetch(entity: Int, id: StoreValue, _ body: (inout RowCursor) throws -> Void) throws {
        count()
        try base.fetch(entity: entity, id: id, body)
    }
    func fetch(entity: Int, ids: [StoreValue], _ body: (inout RowCursor) throws -> Void) throws {
        count()
        try base.fetch(entity: entity, ids: ids, body)
    }
    func fetchIDs(_ request: FetchRequest, _ body: (inout RowCursor) throws -> Void) throws {
        count()
        try base.fetchIDs(request, body)
    }
    func count(_ request: FetchRequest) throws -> Int {
        count()
        return try base.count(request)
    }
    func exists(_ request: FetchRequest) throws -> Bool {
        count()
        return try base.exists(request)
    }
    func integrityProblems() throws -> [String] { try base.integrityProblems() }
    var isInTransaction: Bool { base.isInTransaction }
    func begin() throws { try base.begin() }
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
    func checkReferences() throws { try base.checkReferences() }
    func highestID(of entity: Int) throws -> Int64 { try base.highestID(of: entity) }
    var checkpointNeed: CheckpointNeed { base.checkpointNeed }
    func checkpoint() throws { try base.checkpoint() }
}
