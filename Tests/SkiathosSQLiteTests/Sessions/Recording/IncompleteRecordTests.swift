import CSkiathosSQLite
import GRDB
import GRDBSQLite
import SkiathosStore
import Testing

@testable import SkiathosSQLite

/// When a record cannot have every row, and when it has them in spite of a difficulty.
@Suite struct IncompleteRecordTests {
    private func withCompanies(_ body: (any PersistentStore, Int) throws -> Void) throws {
        try StoreKind.memory.withStore { store in
            try store.insert(Company.self, [1, "Acme"], [2, "Bolt"])
            try store.insert(Tag.self, ["x", nil])
            try body(store, store.position(Company.self))
        }
    }

    private func handle(_ connection: AnyObject?) throws -> OpaquePointer {
        try #require((connection as? Database)?.sqliteConnection)
    }

    @Test func `past a limit of rows the entities that have changed are incomplete`() throws {
        try withCompanies { store, company in
            let tags = store.position(Tag.self)
            let full = try store.recorded(limit: RecordingLimit(rows: 2)) { session in
                try session.execute("UPDATE company SET name = name || '!'")
            }
            #expect(full.changes.count == 2)
            let record = try store.recorded(limit: RecordingLimit(rows: 1)) { session in
                try session.execute("UPDATE company SET name = name || '!'")
            }
            #expect(record == RecordedRowChanges(incomplete: [company]))
            let late = try store.recorded(limit: RecordingLimit(rows: 1)) { session in
                try session.execute("UPDATE company SET name = name || '!'")
                try session.execute(#"DELETE FROM "odd ""tag"", really""#)
            }
            #expect(late == RecordedRowChanges(incomplete: [company, tags]))
            let none = try store.recorded(limit: RecordingLimit(rows: 0)) { _ in }
            #expect(none == RecordedRowChanges())
        }
    }

    @Test func `past a limit of bytes the entities that have changed are incomplete`() throws {
        try withCompanies { store, company in
            let limit = RecordingLimit(bytes: 100_000)
            let row = "UPDATE company SET name = substr(hex(zeroblob(40000)), 1, %) WHERE id = 1"
            func change(to length: Int) throws -> RecordedRowChanges {
                try store.recorded(limit: limit) {
                    try $0.execute(row.replacing("%", with: "\(length)"))
                }
            }
            let first = try change(to: 60_000)
            #expect(first.changes.count == 1)
            // Both the old value and the new one count.
            let second = try change(to: 60_001)
            #expect(second == RecordedRowChanges(incomplete: [company]))
            let third = try change(to: 10)
            #expect(third.changes.count == 1)
        }
    }

    @Test func `rolled back rows do not count for the limit`() throws {
        try withCompanies { store, _ in
            let record = try store.recorded(limit: RecordingLimit(rows: 2)) { session in
                for id in 10..<20 {
                    try session.openSavepoint()
                    try session.execute("INSERT INTO company VALUES (\(id), 'row \(id)')")
                    try session.rollbackSavepoint()
                }
                try session.execute("UPDATE company SET name = name || '!'")
            }
            #expect(record.changes.count == 2)
        }
    }

    @Test func `a changed schema makes every entity incomplete, until the next record`() throws {
        try withCompanies { store, company in
            let all = Set(store.schema.entities.indices)
            let record = try store.recorded { session in
                try session.execute(
                    """
                    UPDATE company SET name = name || '!'; CREATE INDEX own ON company (name, id)
                    """)
            }
            #expect(record == RecordedRowChanges(incomplete: all))
            let next = try store.recorded { try $0.execute("DELETE FROM company WHERE id = 1") }
            #expect(next.changes == [.delete(entity: company, before: [1, "Acme!"])])
        }
    }

    @Test func `a hook of other code makes every entity incomplete`() throws {
        try withCompanies { store, company in
            let all = Set(store.schema.entities.indices)
            let record = try store.recorded { session in
                _ = try session.writeNatively { connection in
                    _ = skiathos_observe_rows(try handle(connection), nil, nil)
                }
            }
            #expect(record == RecordedRowChanges(incomplete: all))
            let next = try store.recorded { try $0.execute("DELETE FROM company WHERE id = 1") }
            #expect(next.changes.count == 1)
        }
    }

    @Test func `no hook is installed but during a record`() throws {
        try withCompanies { store, _ in
            func takeHook() throws -> UnsafeMutableRawPointer? {
                try store.writer.withSession { session in
                    var context: UnsafeMutableRawPointer?
                    try session.readNatively { connection in
                        context = skiathos_observe_rows(try handle(connection), nil, nil)
                    }
                    return context
                }
            }
            let before = try takeHook()
            #expect(before == nil)
            _ = try store.recorded { try $0.execute("DELETE FROM company WHERE id = 1") }
            let after = try takeHook()
            #expect(after == nil)
        }
    }

    @Test func `a blob that is written in place makes its entity incomplete`() throws {
        try StoreKind.memory.withStore { store in
            let users = store.position(User.self)
            try store.insert(User.self, user(1, photo: [1, 2, 3]))
            let record = try store.recorded { session in
                try session.execute("INSERT INTO company VALUES (1, 'Acme')")
                _ = try session.writeNatively { connection in
                    var blob: OpaquePointer?
                    let handle = try handle(connection)
                    #expect(
                        sqlite3_blob_open(handle, "main", "user", "photo", 1, 1, &blob)
                            == SQLITE_OK)
                    #expect(sqlite3_blob_write(blob, [9], 1, 1) == SQLITE_OK)
                    #expect(sqlite3_blob_close(blob) == SQLITE_OK)
                }
            }
            #expect(record.incomplete == [users])
            #expect(record.changes.map(\.after) == [[1, "Acme"]])
            #expect(try store.all(User.self).map { $0[UserColumn.photo] } == [.blob([1, 9, 3])])
        }
    }

    @Test func `a statement that raw SQL has compiled before a record hides no rows`() throws {
        try withCompanies { store, _ in
            let tags = store.position(Tag.self)
            let sql = #"DELETE FROM "odd ""tag"", really""#
            for isFirst in [true, false] {
                if !isFirst { _ = try store.recorded { _ in } }
                try store.transaction { try $0.execute(sql, kept: true) }
                try store.insert(Tag.self, ["y", nil])
                let record = try store.recorded { try $0.execute(sql, kept: true) }
                #expect(record.changes == [.delete(entity: tags, before: ["y", nil])])
            }
        }
    }

    @Test func `a trigger of the connection hides no rows`() throws {
        try withCompanies { store, company in
            let tags = store.position(Tag.self)
            let insert = StoreChange.insert(entity: company, Rows([[3, "c"]]))
            func emptyTags() throws {
                try store.insert(Tag.self, ["y", nil])
                try store.transaction { try $0.apply([insert]) }
                try store.insert(Tag.self, ["z", nil])
                try store.transaction { try $0.execute("DELETE FROM company") }
                let record = try store.recorded { try $0.apply([insert]) }
                #expect(
                    record.changes == [
                        .insert(entity: company, after: [3, "c"]),
                        .delete(entity: tags, before: ["z", nil]),
                    ])
                try store.transaction { try $0.execute("DELETE FROM company") }
            }
            try store.transaction { try $0.execute("DELETE FROM company") }
            _ = try store.recorded { session in
                try session.execute(
                    """
                    CREATE TEMP TRIGGER own AFTER INSERT ON company BEGIN
                        DELETE FROM "odd ""tag"", really";
                    END
                    """)
            }
            for _ in 1...3 { try emptyTags() }
        }
    }

    @Test func `a declared trigger hides no rows`() throws {
        let directory = try TemporaryDirectory()
        try ShelfStore.make(at: directory.file())
        let queue = try DatabaseQueue(path: directory.file())
        try queue.write {
            try $0.execute(
                sql: "CREATE TRIGGER own AFTER INSERT ON shelf BEGIN DELETE FROM mark; END")
        }
        try queue.close()
        let store = try ShelfStore.open(
            directory.file(), StoreOptions(declaredObjects: ["own"]))
        for id in 10..<Int64(13) {
            try store.insert(Shelf.self, [.integer(id), .text("\(id)"), 1])
            try store.insert(Weight.self, ["new", 1])
            let (shelf, mark) = (store.position(Shelf.self), store.position(Weight.self))
            let row: [StoreValue] = [.integer(id + 10), .text("\(id + 10)"), 1]
            let record = try store.recorded { session in
                try session.apply([.insert(entity: shelf, Rows([row]))])
            }
            // The column holds real numbers, also where an integer was given.
            #expect(
                record.changes == [
                    .insert(entity: shelf, after: row),
                    .delete(entity: mark, before: ["new", .real(1)]),
                ])
        }
        try store.close()
    }

    @Test func `a row that is older than a column is recorded with its default`() throws {
        let harness = try MigrationHarness()
        try harness.open([Made.user([Made.text])])
        try harness.execute(["INSERT INTO user (id, text) VALUES (1, 'a'), (2, 'b')"])
        let entity = Made.user([
            Made.column("flag", Coding.of(Int.self), default: .integer(-7)),
            Made.column("ratio", Coding.of(Double.self), default: .real(-.infinity)),
            Made.column("quote", Coding.of(String.self), default: .text("o'clock\n")),
            Made.column("raw", Coding.of(Bytes.self), default: .blob([0, 0xAB])),
            Made.number, Made.text,
        ])
        try harness.open([entity])
        let store = try harness.opener([entity], StoreOptions()).open()
        let record = try store.recorded { session in
            try session.execute("UPDATE user SET text = 'c' WHERE id = 1; DELETE FROM user")
        }
        func row(_ id: Int64, _ text: String) -> [StoreValue] {
            [
                .integer(id), -7, .real(-.infinity), "o'clock\n", .blob([0, 0xAB]), nil,
                .text(text),
            ]
        }
        #expect(
            record.changes == [
                .update(entity: 0, before: row(1, "a"), after: row(1, "c")),
                .delete(entity: 0, before: row(1, "c")), .delete(entity: 0, before: row(2, "b")),
            ])
        try store.close()
    }
}
