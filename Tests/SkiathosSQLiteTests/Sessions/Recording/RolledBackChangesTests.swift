import SkiathosStore
import Testing

@testable import SkiathosSQLite

/// What remains of a record when some of its statements are rolled back.
@Suite struct RolledBackChangesTests {
    private func withCompanies(_ body: (any PersistentStore, Int) throws -> Void) throws {
        try StoreKind.memory.withStore { store in
            try store.insert(Company.self, [1, "Acme"], [2, "Bolt"])
            try body(store, store.position(Company.self))
        }
    }

    @Test func `a statement that fails leaves no rows`() throws {
        try withCompanies { store, company in
            let record = try store.recorded { session in
                try session.attempt("INSERT INTO company VALUES (3, 'c'), (4, 'd'), (5, 'Acme')")
                try session.attempt("UPDATE company SET name = 'same'")
                try session.execute("INSERT INTO company VALUES (6, 'f')")
            }
            #expect(record.changes == [.insert(entity: company, after: [6, "f"])])
        }
    }

    @Test func `rows before one that fails remain where the statement keeps them`() throws {
        try withCompanies { store, company in
            let record = try store.recorded { session in
                try session.attempt(
                    "INSERT OR FAIL INTO company VALUES (3, 'c'), (4, 'Acme'), (5, 'e')")
                try session.execute("INSERT OR IGNORE INTO company VALUES (4, 'Acme'), (5, 'e')")
            }
            #expect(
                record.changes == [
                    .insert(entity: company, after: [3, "c"]),
                    .insert(entity: company, after: [5, "e"]),
                ])
        }
    }

    @Test func `steps that fail together leave no rows`() throws {
        try withCompanies { store, company in
            let record = try store.recorded { session in
                _ = try storeError(.uniqueViolation) {
                    try session.apply([
                        .delete(entity: company, Rows([[2]])),
                        .insert(entity: company, Rows([[3, "c"], [4, "Acme"]])),
                    ])
                }
            }
            #expect(record == RecordedRowChanges())
        }
    }

    @Test func `rows that exchange unique values are recorded`() throws {
        try withCompanies { store, company in
            let record = try store.recorded { session in
                let rows = Rows([["Bolt", 1], ["Acme", 2]], idIsLast: true)
                try session.apply([.update(entity: company, columns: [1], rows)])
            }
            // By way of values that no other row has.
            #expect(record.changes.last?.after == [2, "Acme"])
        }
    }

    @Test func `savepoints inside of a record are rolled back with their rows`() throws {
        try withCompanies { store, company in
            let record = try store.recorded { session in
                try session.openSavepoint()
                try session.execute("INSERT INTO company VALUES (3, 'c')")
                try session.openSavepoint()
                try session.execute("DELETE FROM company")
                try session.rollbackSavepoint()
                try session.releaseSavepoint()
                try session.openSavepoint()
                try session.execute("INSERT INTO company VALUES (4, 'd')")
                try session.openSavepoint()
                try session.execute("INSERT INTO company VALUES (5, 'e')")
                try session.releaseSavepoint()
                try session.rollbackSavepoint()
                try session.execute("INSERT INTO company VALUES (6, 'f')")
            }
            #expect(
                record.changes == [
                    .insert(entity: company, after: [3, "c"]),
                    .insert(entity: company, after: [6, "f"]),
                ])
        }
    }

    @Test func `savepoints of raw SQL are rolled back with their rows`() throws {
        try withCompanies { store, company in
            let record = try store.recorded { session in
                try session.execute(
                    """
                    SAVEPOINT own; DELETE FROM company WHERE id = 1;
                    SAVEPOINT inner; INSERT INTO company VALUES (3, 'c'); RELEASE inner;
                    ROLLBACK TO own; INSERT INTO company VALUES (4, 'd'); RELEASE own
                    """)
            }
            #expect(record.changes == [.insert(entity: company, after: [4, "d"])])
        }
    }

    @Test func `raw SQL that throws leaves no rows`() throws {
        try withCompanies { store, company in
            let record = try store.recorded { session in
                _ = try storeError(.uniqueViolation) {
                    try session.execute(
                        "DELETE FROM company WHERE id = 1; INSERT INTO company VALUES (2, 'x')")
                }
                try session.execute("INSERT INTO company VALUES (4, 'd')")
            }
            #expect(record.changes == [.insert(entity: company, after: [4, "d"])])
        }
    }

    @Test func `a change that its meter refuses leaves no rows`() throws {
        try withCompanies { store, company in
            let record = try store.recorded { session in
                let isRefused = fails {
                    try session.metering(RefusingMeter()) {
                        _ = try session.delete(FetchRequest(entity: company))
                    }
                }
                #expect(isRefused)
            }
            #expect(record == RecordedRowChanges())
        }
    }

    @Test func `every entity is incomplete after rolling back beyond the record`() throws {
        try withCompanies { store, company in
            try store.transaction { session in
                try session.openSavepoint()
                try session.execute("INSERT INTO company VALUES (3, 'c')")
                let record = try session.recordingChanges(of: [company], limit: RecordingLimit()) {
                    try session.execute("INSERT INTO company VALUES (4, 'd')")
                    try session.rollbackSavepoint()
                    try session.execute("INSERT INTO company VALUES (5, 'e')")
                }
                #expect(record == RecordedRowChanges(incomplete: [company]))
            }
        }
    }

    @Test func `every entity is incomplete after the transaction has ended`() throws {
        try withCompanies { store, company in
            try store.writer.withSession { session in
                try session.begin()
                let record = try session.recordingChanges(of: [company], limit: RecordingLimit()) {
                    let isRefused = fails {
                        try session.execute("INSERT OR ROLLBACK INTO company VALUES (1, 'x')")
                    }
                    #expect(isRefused)
                    #expect(!session.isInTransaction)
                }
                #expect(record == RecordedRowChanges(incomplete: [company]))
            }
            let record = try store.recorded { try $0.execute("DELETE FROM company") }
            #expect(record.changes.count == 2)
        }
    }

    @Test func `a failed closure leaves no record behind`() throws {
        try withCompanies { store, company in
            try store.transaction { session in
                try session.openSavepoint()
                let hasFailed = fails {
                    _ = try session.recordingChanges(of: [company], limit: RecordingLimit()) {
                        try session.execute("DELETE FROM company")
                        throw Refusal()
                    }
                }
                #expect(hasFailed)
                try session.rollbackSavepoint()
                let record = try store.record(session) {
                    try session.execute("DELETE FROM company WHERE id = 1")
                }
                #expect(record.changes.count == 1)
            }
        }
    }
}

private struct Refusal: Error {}

/// Whether a closure throws.
private func fails(_ body: () throws -> Void) -> Bool {
    do {
        try body()
        return false
    } catch {
        return true
    }
}

/// Refuses each statement after it has run.
private final class RefusingMeter: QueryMeter {
    func begin(_ statement: MeteredStatement) throws -> Int { .max }
    func end(_ statement: MeteredStatement, _ cost: StatementCost) throws { throw Refusal() }
}
