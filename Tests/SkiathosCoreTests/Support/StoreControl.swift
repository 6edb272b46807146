import ReliabilityKit
import SkiathosStore
import Synchronization

/// What a test does to a store in memory, and learns of it.
final class StoreControl: Sendable {
    private let refusesCommits = Atomic(false)
    private let endsTransactions = Atomic(false)
    private let queries = Atomic(0)

    /// A store whose commits fail while the test says so, and whose queries are counted.
    func store(over base: any PersistentStore) -> any PersistentStore {
        ForwardingStore(base, session: { FailingSession($0, self) })
    }

    func refuseCommits(_ refuses: Bool) {
        refusesCommits.store(refuses, ordering: .sequentiallyConsistent)
    }

    /// Whether looking for a row by its ID fails, and rolls the transaction back, as SQLite does when
    /// it cannot read a page or has no memory.
    func endTransactions(_ ends: Bool) {
        endsTransactions.store(ends, ordering: .sequentiallyConsistent)
    }

    var queryCount: Int { queries.load(ordering: .sequentiallyConsistent) }

    fileprivate func count() { queries.wrappingAdd(1, ordering: .sequentiallyConsistent) }

    fileprivate func read(_ session: any StoreWriteSession) throws {
        guard endsTransactions.load(ordering: .sequentiallyConsistent) else { return }
        try session.rollback()
        throw StoreError(.inputOutput, "The test lets no page be read.")
    }

    fileprivate func requireSpace() throws {
        guard refusesCommits.load(ordering: .sequentiallyConsistent) else { return }
        throw StoreError(.diskFull, "The test has filled the disk.")
    }
}

private final class FailingSession: ForwardingSession {
    private let control: StoreControl

    init(_ base: any StoreWriteSession, _ control: StoreControl) {
        self.control = control
        super.init(base)
    }

    override func commit() throws {
        try control.requireSpace()
        try super.commit()
    }

    override func fetch(
        _ request: FetchRequest, _ body: (inout RowCursor) throws -> Void
    ) throws {
        control.count()
        try super.fetch(request, body)
    }

    override func fetch(
        entity: Int, id: StoreValue, _ body: (inout RowCursor) throws -> Void
    ) throws {
        control.count()
        try control.read(base)
        try super.fetch(entity: entity, id: id, body)
    }

    override func fetch(
        entity: Int, ids: [StoreValue], _ body: (inout RowCursor) throws -> Void
    ) throws {
        control.count()
        try super.fetch(entity: entity, ids: ids, body)
    }

    override func fetch(
        _ request: ProjectionRequest, _ body: (inout RowCursor) throws -> Void
    ) throws {
        control.count()
        try super.fetch(request, body)
    }

    override func count(_ request: FetchRequest) throws -> Int {
        control.count()
        return try super.count(request)
    }

    override func exists(_ request: FetchRequest) throws -> Bool {
        control.count()
        return try super.exists(request)
    }
}
