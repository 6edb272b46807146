import PersistenceService
import ReliabilityKit
import SkiathosLocks
import SkiathosStore
import Synchronization

/// What a test does to a store in memory.
final class Faults: Sendable {
    /// What fails next; guarded by the lock.
    enum Point: Sendable {
        case nothing, apply, query, commit
        /// The transaction is also rolled back automatically, as after a full disk.
        case applyLosingTransaction
    }

    private let point = Lock(Point.nothing)
    private let seen = Lock((begins: 0, rollbacks: 0, isInTransaction: false))

    /// A store that fails as the test says.
    func store(over base: any PersistentStore) -> any PersistentStore {
        ForwardingStore(base, session: { FaultySession($0, self) })
    }

    func set(_ point: Point) { self.point.withLock { $0 = point } }

    /// Whether a transaction was left open by the last use of the connection.
    var leftTransaction: Bool { seen.withLock { $0.isInTransaction } }

    fileprivate func hit(_ point: Point) throws {
        guard self.point.withLock({ $0 }) == point else { return }
        throw StoreError(.diskFull, "The test has filled the disk.")
    }

    fileprivate func record(_ isInTransaction: Bool) {
        seen.withLock { $0.isInTransaction = isInTransaction }
    }
}

private final class FaultySession: ForwardingSession {
    private let faults: Faults

    init(_ base: any StoreWriteSession, _ faults: Faults) {
        self.faults = faults
        super.init(base)
    }

    override func apply(_ changes: [StoreChange]) throws {
        try faults.hit(.apply)
        do {
            try faults.hit(.applyLosingTransaction)
        } catch {
            try super.rollback()
            throw error
        }
        try super.apply(changes)
        faults.record(isInTransaction)
    }

    override func fetch(
        _ request: FetchRequest, _ body: (inout RowCursor) throws -> Void
    ) throws {
        try faults.hit(.query)
        try super.fetch(request, body)
    }

    override func rollback() throws {
        try super.rollback()
        faults.record(isInTransaction)
    }

    override func commit() throws {
        try faults.hit(.commit)
        try super.commit()
        faults.record(isInTransaction)
    }
}
