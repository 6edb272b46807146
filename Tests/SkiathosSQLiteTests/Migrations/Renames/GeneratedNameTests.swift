import SkiathosStore
import Testing

@testable import SkiathosSQLite

/// Names that the package gives to its objects beside the names of users.
@Suite struct GeneratedNameTests {
    private static func table(_ name: String, was: [String] = []) -> EntitySchema {
        EntitySchema(
            Tag.self, table: name, id: Coding.of(Int64.self), columns: [Made.text],
            renamedFrom: was)
    }

    /// The entity `t` with an index, a unique column and a search, and so with all objects that get
    /// names of their own.
    private static let first = EntitySchema(
        User.self, table: "t", id: Coding.of(String.self),
        columns: ["a", "b"].map { Made.column($0, Coding.of(String.self), default: .text("")) },
        unique: [["b"], ["b", "a"]], indexed: ["a"], searchable: ["a"])

    private static let names = [
        "t_index_a", "T_INDEX_A", "t_unique_b", "t_unique_b_a", "t_index_a_2", "t_data", "t_idx",
        "t_docsize", "t_config", "t_numbers", "t_rows", "t_insert", "t_new", "new_t",
    ]

    @Test(arguments: names)
    func `a table may have any name that an object of another one would get`(
        _ name: String
    ) throws {
        for isRenamed in [false, true] {
            // Beside each other from the beginning, and one after the other.
            let fresh = try MigrationHarness()
            for _ in 1...2 { try fresh.open([Self.first, Self.table(name)]) }

            let harness = try MigrationHarness()
            let before = isRenamed ? [Self.first, Self.table("other")] : [Self.first]
            try harness.open(before)
            try harness.execute(["INSERT INTO t (id, a, b) VALUES ('1', 'word', 'x')"])
            let after = [Self.first, Self.table(name, was: isRenamed ? ["other"] : [])]
            for opening in Int64(1)...2 {
                try harness.open(after)
                let store = try harness.opener(after).open()
                try store.insert(Tag.self, [.integer(opening), .text("x")])
                try store.close()
            }
            #expect(try harness.strings("SELECT text FROM \(name)") == ["x", "x"])
            let indexed = try harness.strings(
                "SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND tbl_name = 't' AND sql <> ''"
            )
            #expect(indexed == ["3"])
            #expect(try harness.opener(after).plan().isEmpty)
        }
    }

    @Test(arguments: ["CREATE INDEX tag ON t (a, b)", "CREATE VIEW tag AS SELECT 1"])
    func `a table whose name is that of an object of the user's own is refused`(
        _ sql: String
    ) throws {
        let harness = try MigrationHarness()
        try harness.open([Self.first])
        try harness.execute([sql])
        let options = StoreOptions(declaredObjects: ["tag"])
        let error = try storeError(.schemaMismatch) {
            _ = try harness.opener([Self.first, Self.table("tag")], options).open()
        }
        #expect(error.message.contains(#"by the name "tag""#))
    }

    @Test func `an index gets another name than a view of the user's own`() throws {
        let harness = try MigrationHarness()
        try harness.open([Made.user()])
        try harness.execute(["CREATE VIEW user_index_text AS SELECT 1"])
        let options = StoreOptions(declaredObjects: ["user_index_text"])
        try harness.open(try harness.opener([Made.user(indexed: ["text"])], options))
    }

    @Test func `a column cannot have a name of the store's own`() throws {
        for name in ["skiathos_new_text", "SKIATHOS_number"] {
            let error = try storeError(.invalidSchema) {
                _ = try StoreSchema([Made.user([Made.column(name, Coding.of(Int?.self))])])
            }
            #expect(error.message.contains("skiathos_"))
        }
    }
}
