import ReliabilityKit
import SkiathosStore
import TestSupport
import Testing

/// Random transactions on the entities of the tests, each with a record of its middle part.
struct RandomChanges {
    private let store: any PersistentStore
    private var values: RandomRows

    private var random: SeededNumbers {
        get { values.random }
        set { values.random = newValue }
    }

    init(_ store: any PersistentStore, seed: UInt64) {
        self.store = store
        values = RandomRows(store, SeededNumbers(seed: seed))
    }

    /// Runs one transaction, which is rolled back now and then.
    ///
    /// - Returns: The record of its middle part, which was compared with the rows.
    mutating func run() throws -> RecordedRowChanges {
        let store = store
        return try store.writer.withSession { session in
            try session.begin()
            defer { if session.isInTransaction { try? session.rollback() } }
            for _ in 0..<random.below(3) { try step(session) }
            let record = try store.record(session) {
                for _ in 0..<(1 + random.below(12)) { try step(session) }
            }
            #expect(record.incomplete == [])
            for _ in 0..<random.below(2) { try step(session) }
            if random.happens(80), (try? session.checkReferences()) != nil {
                try session.commit()
            }
            return record
        }
    }

    /// One change, or several inside of a savepoint or a record of their own; some of them fail.
    private mutating func step(_ session: any StoreWriteSession, depth: Int = 0) throws {
        let kind = random.below(depth < 3 ? 100 : 76)
        switch kind {
        case 0..<32:
            let changes = (0...random.below(3)).map { _ in values.change() }
            let recovery: FailureRecovery =
                random.happens(50) ? .sessionRollsBack : .callerRollsBack
            try Self.refusable(session, recovery) {
                try session.apply(changes, onFailure: recovery)
            }
        case 32..<42:
            let request = values.request()
            try Self.refusable(session) {
                if kind < 38, let assignment = values.assignment(request.entity) {
                    _ = try session.update(request, [assignment])
                } else {
                    _ = try session.delete(request)
                }
            }
        case 42: try session.deleteEverything()
        case 43..<70:
            let (sql, isKept) = (values.statement(), random.happens(50))
            try Self.refusable(session) { try session.execute(sql, kept: isKept) }
        case 70..<76:
            let end = random.happens(50) ? "ROLLBACK TO own; RELEASE own" : "RELEASE own"
            let sql = "SAVEPOINT own; \(values.statement()); \(values.statement()); \(end)"
            try Self.refusable(session) { try session.execute(sql) }
        case 76..<92:
            try session.openSavepoint()
            try steps(session, depth)
            if random.happens(50) {
                try session.rollbackSavepoint()
            } else {
                try session.releaseSavepoint()
            }
        default:
            let store = store
            let inner = try store.record(session) { try steps(session, depth) }
            #expect(inner.incomplete == [])
        }
    }

    private mutating func steps(_ session: any StoreWriteSession, _ depth: Int) throws {
        for _ in 0..<random.below(5) { try step(session, depth: depth + 1) }
    }

    /// Runs a change that constraints may refuse.
    private static func refusable(
        _ session: any StoreWriteSession, _ recovery: FailureRecovery = .sessionRollsBack,
        _ body: () throws -> Void
    ) throws {
        if recovery == .callerRollsBack { try session.openSavepoint() }
        do {
            try body()
            if recovery == .callerRollsBack { try session.releaseSavepoint() }
        } catch let error as StoreError {
            try #require(error.code == .uniqueViolation, "\(error)")
            if recovery == .callerRollsBack { try session.rollbackSavepoint() }
        }
    }
}
