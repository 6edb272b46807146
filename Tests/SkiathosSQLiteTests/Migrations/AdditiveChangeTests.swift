import Foundation
import SkiathosStore
import Testing

@testable import SkiathosSQLite

/// Automatic changes when a store is opened.
@Suite struct AdditiveChangeTests {
    /// A store with one entity, whose table has three rows.
    private func store(
        _ entity: EntitySchema = Made.user(),
        _ row: (Int) -> String = { "INSERT INTO user (id, text) VALUES (\($0), 't\($0)')" }
    ) throws -> MigrationHarness {
        let harness = try MigrationHarness()
        try harness.open([entity])
        try harness.execute((1...3).map(row))
        return harness
    }

    @Test func `a new table comes with the sequence of its IDs`() throws {
        let harness = try store()
        let tag = EntitySchema(Tag.self, table: "tag", id: Coding.of(String.self), columns: [])
        try harness.open([Made.user(), Made.company(), tag])
        let entities = try harness.strings("SELECT entity FROM skiathos_sequence")
        #expect(entities == ["company", "user"])
        let store = try harness.opener([Made.user(), Made.company(), tag]).open()
        try store.insert(Company.self, [1, "Acme"])
        try store.close()
    }

    @Test func `new columns are empty, or have the default if they are required`() throws {
        let harness = try store()
        try harness.open([
            Made.user([
                Made.number, Made.text,
                Made.column("flag", Coding.of(Int.self), default: .integer(-7)),
                Made.column("ratio", Coding.of(Double.self), default: .real(-.infinity)),
                Made.column("bytes", Coding.of([UInt8].self), default: .text("[]")),
                Made.column("quote", Coding.of(String.self), default: .text("o'clock\n")),
                Made.column("boss", Coding.of(Reference<User>?.self)),
            ])
        ])
        let rows = try harness.strings(
            """
            SELECT concat FROM (SELECT coalesce(number, '-') || text || flag || (ratio < -1e300)
                || bytes || quote || coalesce(boss, '-') AS concat FROM user ORDER BY id)
            """)
        #expect(rows == ["-t1-71[]o'clock\n-", "-t2-71[]o'clock\n-", "-t3-71[]o'clock\n-"])
        let indexes = try harness.strings("SELECT name FROM sqlite_schema WHERE type = 'index'")
        #expect(indexes == ["user_index_boss"])
    }

    @Test func `a blob is a default too`() throws {
        let harness = try store()
        let column = Made.column("raw", Coding.of(Bytes.self), default: .blob([0, 0xAB]))
        try harness.open([Made.user([Made.text, column])])
        #expect(try harness.strings("SELECT hex(raw) FROM user") == ["00AB", "00AB", "00AB"])
    }

    @Test func `the order of columns makes no difference`() throws {
        let harness = try store(Made.user([Made.text, Made.number]))
        let before = try harness.dump()
        try harness.open([Made.user([Made.number, Made.text])])
        #expect(try harness.dump() == before)
    }

    @Test func `indexes and unique keys come and go`() throws {
        let harness = try store(Made.user([Made.text, Made.number]))
        try harness.open([
            Made.user([Made.text, Made.number], unique: [["text", "number"]], indexed: ["number"])
        ])
        let indexes = "SELECT name FROM sqlite_schema WHERE type = 'index' ORDER BY 1"
        #expect(
            try harness.strings(indexes) == ["user_index_number", "user_unique_text_number"])
        try harness.open([Made.user([Made.text, Made.number], indexed: ["text"])])
        #expect(try harness.strings(indexes) == ["user_index_text"])
        try harness.open([Made.user([Made.text, Made.number], unique: [["text"]])])
        #expect(try harness.strings(indexes) == ["user_unique_text"])
        let store = try harness.opener([
            Made.user([Made.text, Made.number], unique: [["text"]])
        ]).open()
        #expect(
            try storeError(.uniqueViolation) {
                try store.insert(User.self, [9, "t1", nil])
            }.columns == ["text"])
        try store.close()
    }

    @Test func `an index in another order than that of its column is made again`() throws {
        let harness = try store()
        let price = ColumnSchema("price", Coding.of(Decimal?.self))
        let key = ColumnSchema("key", Coding.of(Decimal?.self))
        let entity = Made.user([Made.text, price, key], unique: [["key"]], indexed: ["price"])
        try harness.open([entity])
        let indexes = "SELECT sql FROM sqlite_schema WHERE type = 'index' ORDER BY name"
        let made = [
            #"CREATE INDEX "user_index_price" ON "user" ("price" COLLATE skiathos_decimal)"#,
            #"CREATE UNIQUE INDEX "user_unique_key" ON "user" ("key" COLLATE skiathos_decimal)"#,
        ]
        #expect(try harness.strings(indexes) == made)
        try harness.execute([
            "DROP INDEX user_index_price", "DROP INDEX user_unique_key",
            "CREATE INDEX user_index_price ON user (price)",
            "CREATE UNIQUE INDEX user_unique_key ON user (key)",
        ])
        try harness.open([entity])
        let remade = try harness.strings(indexes).map {
            $0.replacing("_price_2\"", with: "_price\"").replacing("_key_2\"", with: "_key\"")
        }
        #expect(remade == made)
        let before = try harness.dump()
        try harness.open([entity])
        #expect(try harness.dump() == before)
    }

    @Test func `users' own indexes stay, and their names are not taken`() throws {
        let harness = try store(Made.user([Made.text, Made.number]))
        try harness.execute([
            "CREATE INDEX user_index_number ON user (text || number)",
            "CREATE INDEX mine ON user (number) WHERE number > 1",
            "CREATE INDEX plain ON user (text)",
        ])
        let entity = Made.user([Made.optionalText, Made.number], indexed: ["number"])
        try harness.open([entity])
        let indexes = try harness.strings(
            "SELECT name FROM sqlite_schema WHERE type = 'index' ORDER BY 1")
        #expect(indexes == ["mine", "plain", "user_index_number_2"])
    }

    @Test func `a column becomes optional, and required again where no row lacks it`() throws {
        let harness = try store()
        try harness.open([Made.user([Made.optionalText])])
        try harness.execute(["INSERT INTO user VALUES (4, 'x')"])
        let back = StoreMigration("required again")
        try harness.open([Made.user([Made.text])], [back])
        #expect(
            try harness.strings("SELECT text FROM user ORDER BY id") == ["t1", "t2", "t3", "x"])
    }

    @Test func `delete rules and references change, and hold afterwards`() throws {
        let plain = Made.column("company", Coding.of(Int64?.self))
        let nullified = Made.column("company", Coding.of(Reference<Company>?.self))
        let cascading = Made.column(
            "company", Coding.of(Reference<Company>?.self), onDelete: .cascade)
        let harness = try MigrationHarness()
        try harness.open([Made.company(), Made.user([plain])])
        try harness.execute([
            "INSERT INTO company VALUES (1, 'a')", "INSERT INTO user VALUES (5, 1), (6, NULL)",
        ])
        try harness.open([Made.company(), Made.user([nullified])])
        try harness.open([Made.company(), Made.user([cascading])])
        try harness.execute(["DELETE FROM company"])
        #expect(try harness.strings("SELECT id FROM user") == ["6"])
        try harness.open(
            [Made.company(), Made.user([plain])], [StoreMigration("no reference any more")])
        #expect(
            try harness.strings("SELECT sql FROM sqlite_schema WHERE name = 'user'")
                .first?.contains("REFERENCES") == false)
    }

    @Test func `a search index is added to existing rows, changed and dropped`() throws {
        let harness = try store(Made.user([Made.text, Made.optionalText2]))
        let found = "SELECT rowid FROM skiathos_search_user WHERE skiathos_search_user MATCH 't2'"
        try harness.open([Made.user([Made.text, Made.optionalText2], searchable: ["text"])])
        #expect(try harness.strings(found) == ["2"])
        try harness.execute(["UPDATE user SET other = 't2' WHERE id = 3"])
        try harness.open([
            Made.user([Made.text, Made.optionalText2], searchable: ["other", "text"])
        ])
        #expect(try harness.strings(found) == ["2", "3"])
        try harness.open(
            [Made.user([Made.text, Made.optionalText2])], [StoreMigration("no search any more")])
        let left = try harness.strings(
            "SELECT name FROM sqlite_schema WHERE name LIKE 'skiathos_search%'")
        #expect(left == [])
        _ = try harness.dump()
    }

    @Test func `a search index is rebuilt where a trigger is missing`() throws {
        let harness = try store(Made.user(searchable: ["text"]))
        try harness.execute([
            "DROP TRIGGER skiathos_search_user_update", "UPDATE user SET text = 'zebra'",
        ])
        try harness.open([Made.user(searchable: ["text"])])
        let found = try harness.strings(
            "SELECT rowid FROM skiathos_search_user WHERE skiathos_search_user MATCH 'zebra'")
        #expect(found == ["1", "2", "3"])
    }

    @Test func `opening again changes nothing`() throws {
        let harness = try MigrationHarness(MigrationHarness.base(.third))
        let bytes = try harness.directory.bytes()
        try harness.touch(harness.opener(.third))
        #expect(try harness.directory.bytes() == bytes)
    }
}

/// Bytes as they are.
struct Bytes: ColumnValue, Equatable {
    var bytes: [UInt8]
    static var storage: StorageClass { .blob }
    init(row: RowReader, column: Int) throws { bytes = row.withBytes(at: column) { Array($0) } }
    func bind(to parameters: ParameterWriter, at position: Int) throws {
        try bytes.withUnsafeBytes { try parameters.bind(bytes: $0, at: position) }
    }
}

extension Made {
    static let optionalText2 = ColumnSchema("other", Coding.of(String?.self))
}
