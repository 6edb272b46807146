import Foundation
import SkiathosStore
import Testing

@testable import SkiathosSQLite

/// Records of changed rows, by the kinds of statements that change them.
@Suite struct RecordedChangesTests {
    /// Two companies, three users, an invoice, two badges and two tags.
    private func withRows(
        _ body: (any PersistentStore) throws -> Void
    ) throws {
        try StoreKind.memory.withStore { store in
            try store.insert(Company.self, [1, "Acme"], [2, "Bolt"])
            try store.insert(
                User.self, user(1, email: "a", company: 1), user(2, email: "b", company: 1),
                user(3, email: "c", company: 2))
            try store.insert(Invoice.self, [1, 7, 3])
            try store.insert(Badge.self, [1, 1, .blob([1]), 1.5], [2, 2, .blob([2]), 2.5])
            try store.insert(Tag.self, ["x", nil], ["y", "second"])
            try body(store)
        }
    }

    private func condition(_ column: Int, _ value: StoreValue) -> StorePredicate {
        .comparison(.column(column), .equal, .value(value))
    }

    @Test func `an inserted row is recorded with all its values`() throws {
        try withRows { store in
            let (users, tags) = (store.position(User.self), store.position(Tag.self))
            let full = user(
                9, "Zoë", email: "", age: .min, score: 2, photo: [0, 255], balance: "1.50",
                company: 2)
            let record = try store.recorded { session in
                try session.apply([
                    .insert(entity: users, Rows([full, user(10, photo: [])])),
                    .insert(entity: tags, Rows([["z", "third"]])),
                ])
            }
            #expect(
                record.changes == [
                    .insert(entity: users, after: full),
                    .insert(entity: users, after: user(10, photo: [])),
                    .insert(entity: tags, after: ["z", "third"]),
                ])
            #expect(record.incomplete == [])
        }
    }

    @Test func `an updated row is recorded as it was and as it is`() throws {
        try withRows { store in
            let users = store.position(User.self)
            let record = try store.recorded { session in
                let rows = Rows([[8, 0.5, 2]], idIsLast: true)
                try session.apply([
                    .update(entity: users, columns: [UserColumn.age, UserColumn.score], rows)
                ])
            }
            #expect(
                record.changes == [
                    .update(
                        entity: users, before: user(2, email: "b", company: 1),
                        after: user(2, email: "b", age: 8, score: 0.5, company: 1))
                ])
        }
    }

    @Test func `bulk rows are recorded one by one`() throws {
        try withRows { store in
            let users = store.position(User.self)
            let ids = [Int64](100..<400)
            let inserted = try store.recorded { session in
                try session.apply(
                    [.insert(entity: users, LendableRows(ids.map { user($0) }))],
                    onFailure: .callerRollsBack)
            }
            #expect(inserted.changes.map(\.after) == ids.map { user($0) })
            let updated = try store.recorded { session in
                let rows = LendableRows(ids.map { [5, .integer($0)] }, idIsLast: true)
                try session.apply([.update(entity: users, columns: [UserColumn.age], rows)])
            }
            #expect(updated.changes.count == 300)
            let deleted = try store.recorded { session in
                let rows = LendableRows(ids.map { [.integer($0)] })
                try session.apply([.delete(entity: users, rows)])
            }
            #expect(Set(deleted.changes.map(\.before)) == Set(ids.map { user($0, age: 5) }))
        }
    }

    @Test func `every row of a set-based change is recorded`() throws {
        try withRows { store in
            let users = store.position(User.self)
            let first = FetchRequest(
                entity: users, predicate: condition(UserColumn.company, 1))
            let updated = try store.recorded { session in
                let older = StoreAssignment(column: UserColumn.age, .add(1))
                let count = try session.update(first, [older])
                #expect(count == 2)
            }
            #expect(updated.changes.map { $0.before?[3] } == [30, 30])
            #expect(updated.changes.map { $0.after?[3] } == [31, 31])
            let third = FetchRequest(
                entity: store.position(Badge.self), predicate: condition(1, 2))
            let deleted = try store.recorded { _ = try $0.delete(third) }
            #expect(deleted.changes.map(\.before) == [[2, 2, .blob([2]), 2.5]])
        }
    }

    @Test func `rows that a delete rule changes are recorded`() throws {
        try withRows { store in
            let users = store.position(User.self)
            let nullified = try store.recorded { session in
                let company = store.position(Company.self)
                try session.apply([.delete(entity: company, Rows([[1]]))])
            }
            #expect(nullified.changes.map(\.kind) == [.delete, .update, .update])
            #expect(nullified.changes.dropFirst().allSatisfy { $0.entity == users })
            #expect(nullified.changes.last?.after == user(2, email: "b"))
            let cascaded = try store.recorded { session in
                try session.apply([.delete(entity: users, Rows([[2]]))])
            }
            #expect(cascaded.changes.map(\.entity) == [users, store.position(Badge.self)])
            #expect(cascaded.changes.map(\.kind) == [.delete, .delete])
        }
    }

    @Test func `deleting every row of a table is recorded row by row`() throws {
        try withRows { store in
            let tags = FetchRequest(entity: store.position(Tag.self))
            // Compiled where SQLite may leave out to look at the rows.
            _ = try store.transaction { try $0.delete(tags) }
            for _ in 1...2 {
                try store.insert(Tag.self, ["x", nil], ["y", "second"])
                let record = try store.recorded { session in
                    let count = try session.delete(tags)
                    #expect(count == 2)
                }
                #expect(record.changes.map(\.before) == [["x", nil], ["y", "second"]])
            }
            try store.transaction { try $0.deleteEverything() }
            try store.insert(Tag.self, ["x", nil])
            try store.insert(Company.self, [1, "Acme"])
            let everything = try store.recorded { try $0.deleteEverything() }
            #expect(everything.changes.count == 2)
        }
    }

    @Test func `a row that makes room for another one is recorded as deleted`() throws {
        try withRows { store in
            let company = store.position(Company.self)
            let replaced = try store.recorded { session in
                try session.execute("INSERT OR REPLACE INTO company VALUES (7, 'Acme')")
            }
            #expect(replaced.changes.first == .delete(entity: company, before: [1, "Acme"]))
            #expect(replaced.changes.last == .insert(entity: company, after: [7, "Acme"]))
            // The references to company 1 were set to no value in between.
            #expect(replaced.changes.count == 4)
            let updated = try store.recorded { session in
                try session.execute("UPDATE OR REPLACE company SET name = 'Bolt' WHERE id = 7")
            }
            #expect(updated.changes.map(\.kind) == [.delete, .update, .update])
        }
    }

    @Test func `an upsert and a changed ID are recorded as updates`() throws {
        try withRows { store in
            let tags = store.position(Tag.self)
            let record = try store.recorded { session in
                try session.execute(
                    """
                    INSERT INTO "odd ""tag"", really" VALUES ('x', 'new'), ('w', 'fourth')
                    ON CONFLICT (id) DO UPDATE SET "the ""order"".x" = excluded."the ""order"".x";
                    UPDATE "odd ""tag"", really" SET id = 'moved' WHERE id = 'y';
                    UPDATE invoice SET id = id + 1
                    """)
            }
            #expect(
                record.changes == [
                    .update(entity: tags, before: ["x", nil], after: ["x", "new"]),
                    .insert(entity: tags, after: ["w", "fourth"]),
                    .update(entity: tags, before: ["y", "second"], after: ["moved", "second"]),
                    .update(
                        entity: store.position(Invoice.self), before: [1, 7, 3],
                        after: [2, 7, 3]),
                ])
        }
    }

    @Test func `text with a NUL character is recorded whole`() throws {
        try withRows { store in
            let record = try store.recorded { session in
                try session.execute("UPDATE company SET name = 'a' || char(0) || 'b' WHERE id = 1")
            }
            #expect(record.changes.map(\.after) == [[1, "a\u{0}b"]])
        }
    }

    @Test func `rows that are copied from a table of the connection are recorded`() throws {
        try withRows { store in
            let record = try store.recorded { session in
                try session.execute(
                    """
                    CREATE TEMP TABLE company AS SELECT id + 10 AS id, name || '!' AS name
                    FROM main.company;
                    INSERT INTO main.company SELECT id, name FROM temp.company;
                    DELETE FROM temp.company; DROP TABLE temp.company
                    """)
            }
            #expect(record.changes.map(\.after) == [[11, "Acme!"], [12, "Bolt!"]])
        }
    }

    @Test func `rows of other entities are not in a record`() throws {
        try withRows { store in
            let (users, badges) = (store.position(User.self), store.position(Badge.self))
            try store.transaction { session in
                let record = try session.recordingChanges(of: [badges], limit: RecordingLimit()) {
                    try session.apply([.delete(entity: users, Rows([[1]]))])
                }
                #expect(
                    record
                        == RecordedRowChanges([
                            .delete(entity: badges, before: [1, 1, .blob([1]), 1.5])
                        ]))
            }
        }
    }

    @Test func `a record inside of another one is in both`() throws {
        try withRows { store in
            let (company, users) = (store.position(Company.self), store.position(User.self))
            try store.transaction { session in
                var inner: RecordedRowChanges?
                let outer = try store.record(session) {
                    try session.execute("DELETE FROM company WHERE id = 1")
                    inner = try session.recordingChanges(
                        of: [users], limit: RecordingLimit(rows: 1)
                    ) {
                        try session.execute("DELETE FROM invoice; DELETE FROM user WHERE id = 3")
                    }
                    try session.execute("DELETE FROM company WHERE id = 2")
                }
                #expect(inner?.changes.map(\.before) == [user(3, email: "c", company: 2)])
                #expect(outer.changes.count(where: { $0.entity == company }) == 2)
                #expect(outer.changes.count(where: { $0.entity == users }) == 3)
            }
        }
    }

    @Test func `outside of a transaction the closure runs and nothing is recorded`() throws {
        try withRows { store in
            try store.writer.withSession { session in
                var hasRun = false
                let record = try session.recordingChanges(of: [0], limit: RecordingLimit()) {
                    hasRun = true
                }
                #expect(hasRun)
                #expect(record == nil)
            }
        }
    }

    @Test func `words of searches are recorded with their rows alone`() throws {
        let directory = try TemporaryDirectory()
        try ShelfStore.make(at: directory.file())
        let store = try ShelfStore.open(directory.file())
        let record = try store.recorded { session in
            try session.execute("UPDATE volume SET title = 'Conics' WHERE id = 1")
            try session.execute("DELETE FROM shelf WHERE id = 2")
        }
        #expect(record.changes.map(\.kind) == [.update, .delete, .delete, .delete])
        #expect(try store.anyReader.read { try $0.integrityProblems() } == [])
        try store.close()
    }
}
