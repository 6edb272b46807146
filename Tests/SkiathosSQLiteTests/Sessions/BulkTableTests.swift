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

/// Rows that are fetched by many IDs, alone or by runs of neighbours.
@Suite struct BulkIDTests {
    /// A list of IDs.
    struct List: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let ids: [Int64]
        /// Whether it is read by runs.
        let areRuns: Bool
    }

    static let lists = [
        List(testDescription: "one", ids: [5], areRuns: false),
        List(testDescription: "neighbours", ids: Array(2...9), areRuns: true),
        List(testDescription: "neighbours that are not there", ids: Array(90...130), areRuns: true),
        List(testDescription: "runs", ids: [1, 2, 3, 7, 8, 9, 40, 41, 42], areRuns: true),
        List(testDescription: "too many runs", ids: [1, 2, 4, 5, 7, 8, 10], areRuns: false),
        List(testDescription: "descending", ids: Array((1...20).reversed()), areRuns: true),
        List(testDescription: "repeated", ids: [3, 4, 5, 3, 4, 5, 50], areRuns: false),
        List(testDescription: "repeated neighbours", ids: [3, 3, 4, 4, 5, 5, 6, 6], areRuns: true),
        List(
            testDescription: "the largest and the smallest",
            ids: [.max - 2, .max - 1, .max, .min, .min + 1, .min + 2], areRuns: true),
        List(testDescription: "far apart", ids: [.min, 0, .max], areRuns: false),
    ]

    @Test(arguments: lists)
    func `rows are fetched by their IDs, each once`(_ list: List) throws {
        let there = Set<Int64>(1...100).union([.min, .min + 2, .max - 1, .max])
        try StoreKind.file.withStore { store in
            let entity = store.position(Company.self)
            try store.transaction { session in
                let rows = there.map { [.integer($0), .text("\($0)")] as [StoreValue] }
                try session.apply([.insert(entity: entity, Rows(rows))])
            }
            let values = list.ids.map { StoreValue.integer($0) }
            #expect(BulkIDs(values)?.areRuns == list.areRuns)
            let found = try store.anyReader.read { session in
                try collect(store.schema.entities[entity].columns) {
                    try session.fetch(entity: entity, ids: values, $0)
                }
            }
            let expected = Set(list.ids).intersection(there).sorted()
            #expect(found == expected.map { [.integer($0), .text("\($0)")] })
        }
    }

    @Test func `a list with another value is not one of numbers`() {
        #expect(BulkIDs([])?.areRuns == nil)
        #expect(BulkIDs([1, "2", 3])?.areRuns == nil)
    }
}
