import GRDB
import SkiathosStore
import Testing

@testable import SkiathosSQLite

/// The table of bulk rows is not accessible to other statements.
@Suite struct BulkTableTests {
    private func withUsedTable(_ body: (SQLiteSession) throws -> Void) throws {
        try StoreKind.file.withStore { store in
            let ids = Array(1...50 as ClosedRange<Int64>)
            try store.transaction {
                try $0.apply([
                    .insert(
                        entity: store.position(User.self), LendableRows(ids.map { user($0) }))
                ])
            }
            try store.writer.withSession { session in
                try body(try #require(session as? SQLiteSession))
            }
        }
    }

    @Test(arguments: [
        "skiathos_rows", "skiathos_rows(NULL)", "skiathos_rows(1)", "skiathos_rows('c0')",
        "skiathos_rows(x'00')", "skiathos_rows(zeroblob(8)) AS a CROSS JOIN skiathos_rows AS b",
        "skiathos_rows WHERE c0 = 1", "skiathos_rows WHERE \"rows\" = 1",
    ])
    func `SQL finds no rows in the bulk table`(_ table: String) throws {
        try withUsedTable { session in
            let count = try session.integer(
                SQLText("SELECT count(*) FROM \(table)", []), entity: nil)
            #expect(count == 0)
        }
    }

    @Test(arguments: [
        "INSERT INTO skiathos_rows (c0) VALUES (1)", "UPDATE skiathos_rows SET c0 = 1",
        "DELETE FROM skiathos_rows", "DROP TABLE skiathos_rows",
        "CREATE VIRTUAL TABLE mine USING skiathos_rows",
        "CREATE VIRTUAL TABLE temp.mine USING skiathos_rows(1)",
    ])
    func `SQL can neither change nor create a bulk table`(_ sql: String) throws {
        try withUsedTable { session in
            #expect(throws: StoreError.self) { try session.perform(sql) }
        }
    }

    @Test func `the bulk table is part of no schema`() throws {
        try withUsedTable { session in
            let names = [
                "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'skiathos_rows%'",
                "SELECT count(*) FROM sqlite_temp_schema WHERE name LIKE 'skiathos_rows%'",
                "SELECT count(*) FROM pragma_table_list WHERE name LIKE 'skiathos_rows%'",
            ]
            for sql in names {
                let count = try session.integer(SQLText(sql, []), entity: nil)
                #expect(count == 0)
            }
        }
    }

    @Test func `SQLite refuses a trigger that names the bulk table`() throws {
        let directory = try TemporaryDirectory()
        let store = try directory.open(
            TestEntities.all, StoreOptions(declaredObjects: ["look"]))
        do {
            let users = store.position(User.self)
            try store.insert(Company.self, [1, "before"])
            try store.transaction { session in
                try (session as? SQLiteSession)?.perform(
                    """
                    CREATE TRIGGER look AFTER INSERT ON "user" BEGIN
                    UPDATE "company" SET "name" = (SELECT count(*) FROM skiathos_rows); END
                    """)
            }
            let ids = Array(1...50 as ClosedRange<Int64>)
            let error = try storeError(.backend) {
                try store.transaction {
                    try $0.apply([.insert(entity: users, LendableRows(ids.map { user($0) }))])
                }
            }
            #expect(error.message.contains("unsafe use of virtual table"))
            #expect(try store.all(Company.self) == [[1, "before"]])
            #expect(try store.ids(User.self) == [])
        }
        try store.close()
    }

    @Test func `statements follow a schema that has changed`() throws {
        try StoreKind.file.withStore { store in
            let users = store.position(User.self)
            func insert(_ ids: ClosedRange<Int64>) throws {
                try store.transaction {
                    try $0.apply([.insert(entity: users, LendableRows(ids.map { user($0) }))])
                }
            }
            try insert(1...50)
            try store.transaction { session in
                try (session as? SQLiteSession)?.perform(
                    #"CREATE INDEX mine ON "user" ("firstname")"#)
            }
            try insert(51...100)
            #expect(try store.ids(User.self).count == 100)
        }
    }
}
