import SkiathosStore
import Testing

@testable import SkiathosSQLite

/// Renames that depend on each other, and names that are taken.
@Suite struct RenameTests {
    private static func text(_ name: String, was: String...) -> ColumnSchema {
        Made.column(name, Coding.of(String?.self), renamedFrom: was)
    }

    /// A store whose only row has the name of each column in upper case.
    private func store(_ columns: String...) throws -> MigrationHarness {
        let harness = try MigrationHarness()
        try harness.open([Made.user(columns.map { Self.text($0) })])
        let values = columns.map { "'\($0.uppercased())'" }.joined(separator: ", ")
        try harness.execute([
            "INSERT INTO user (\(columns.joined(separator: ", "))) VALUES (\(values))"
        ])
        return harness
    }

    private func values(_ columns: String..., in harness: MigrationHarness) throws -> [String] {
        try columns.flatMap { try harness.strings("SELECT coalesce(\($0), '-') FROM user") }
    }

    @Test(arguments: [false, true])
    func `each column of a chain takes the values of the one before`(isReversed: Bool) throws {
        let harness = try store("a", "b")
        let columns = [Self.text("a"), Self.text("b", was: "a"), Self.text("c", was: "b")]
        let entity = Made.user(isReversed ? columns.reversed() : columns)
        for _ in 1...3 {
            try harness.open([entity])
            #expect(try values("a", "b", "c", in: harness) == ["-", "A", "B"])
        }
    }

    @Test(arguments: [false, true])
    func `a name that another column takes over is free for a third one`(isReversed: Bool) throws {
        let harness = try store("a", "b")
        let columns = [Self.text("a", was: "b"), Self.text("d", was: "a")]
        try harness.open([Made.user(isReversed ? columns.reversed() : columns)])
        #expect(try values("a", "d", in: harness) == ["B", "A"])
    }

    @Test func `an exchange of names is refused with the step that makes it`() throws {
        let harness = try store("a", "b")
        let bytes = try harness.directory.bytes()
        let error = try storeError(.invalidSchema) {
            try harness.open([Made.user([Self.text("a", was: "b"), Self.text("b", was: "a")])])
        }
        #expect(
            error.message.hasSuffix(
                ##"Migration("exchange a, b") { try $0.execute(#"UPDATE "user" SET "a" = "b", "b" = "a""#) }"##
            ), "\(error.message)")
        #expect(try harness.directory.bytes() == bytes)
        let step = StoreMigration("exchange a, b") {
            _ = try $0.execute(#"UPDATE "user" SET "a" = "b", "b" = "a""#, [])
        }
        for _ in 1...2 {
            try harness.open([Made.user([Self.text("a"), Self.text("b")])], [step])
            #expect(try values("a", "b", in: harness) == ["B", "A"])
        }
    }

    @Test func `an exchange of columns of two types is refused with the step that makes it`() throws
    {
        let harness = try MigrationHarness()
        let number = Made.column("b", Coding.of(Int?.self), renamedFrom: ["a"])
        let error = try storeError(.invalidSchema) {
            try harness.open([Made.user([Self.text("a", was: "b"), number])])
        }
        #expect(error.message.contains(#"converts: ["user.a", "user.b"]"#), "\(error.message)")
        #expect(error.message.contains(#"SET "skiathos_new_a" = "b", "skiathos_new_b" = "a""#))
        try harness.open([
            Made.user([Made.column("a", Coding.of(Int?.self)), Self.text("b")])
        ])
        try harness.execute(["INSERT INTO user (a, b) VALUES (7, 'x')"])
        let step = StoreMigration("exchange", converts: ["user.a", "user.b"]) {
            let sql = #"UPDATE "user" SET "skiathos_new_a" = "b", "skiathos_new_b" = "a""#
            _ = try $0.execute(sql, [])
        }
        try harness.open(
            [Made.user([Self.text("a"), Made.column("b", Coding.of(Int?.self))])], [step])
        #expect(try values("a", "b", in: harness) == ["x", "7"])
    }

    @Test func `the column of the IDs is not renamed`() throws {
        let error = try storeError(.invalidSchema) {
            _ = try StoreSchema([Made.user([Self.text("code", was: "ID")])])
        }
        #expect(error.message.contains("former name"))
    }

    @Test func `an exchange of tables is refused, in any order of entities`() throws {
        let one = EntitySchema(
            User.self, table: "one", id: Coding.of(Int64.self), columns: [],
            renamedFrom: ["two"])
        let two = EntitySchema(
            Company.self, table: "two", id: Coding.of(Int64.self), columns: [],
            renamedFrom: ["ONE"])
        for entities in [[one, two], [two, one]] {
            let error = try storeError(.invalidSchema) { _ = try StoreSchema(entities) }
            #expect(error.message.contains(#"@Entity(table: "two") struct User"#))
        }
    }

    @Test func `a column whose new name is there already is kept by the step that is named`() throws
    {
        let harness = try store("a", "b")
        let entity = Made.user([Self.text("b", was: "a")])
        let error = try storeError(.schemaMismatch) { try harness.open([entity]) }
        #expect(
            error.message.contains(
                ##"Migration("a becomes b", drops: ["user.a"]) { try $0.execute(#"UPDATE "user" SET "b" = "a""#) }"##
            ), "\(error.message)")
        let step = StoreMigration("a becomes b", drops: ["user.a"]) {
            _ = try $0.execute(#"UPDATE "user" SET "b" = "a""#, [])
        }
        try harness.open([entity], [step])
        #expect(try values("b", in: harness) == ["A"])
    }

    @Test func `a column of another type is kept by the step that is named`() throws {
        let harness = try store("a", "b")
        try harness.execute(["UPDATE user SET a = '12'"])
        let entity = Made.user([Made.column("b", Coding.of(Int?.self), renamedFrom: ["a"])])
        let error = try storeError(.schemaMismatch) { try harness.open([entity]) }
        let sql = #"UPDATE "user" SET "skiathos_new_b" = CAST("a" AS INTEGER)"#
        #expect(error.message.contains(sql), "\(error.message)")
        let step = StoreMigration("a becomes b", drops: ["user.a"], converts: ["user.b"]) {
            _ = try $0.execute(sql, [])
        }
        try harness.open([entity], [step])
        #expect(try values("b", in: harness) == ["12"])
    }

    @Test func `a rename may change upper and lower case alone`() throws {
        let harness = try store("Name")
        let entity = Made.user(
            [Self.text("name", was: "Name")], table: "USER", searchable: ["name"],
            renamedFrom: ["user"])
        let plan = try harness.opener([entity]).plan()
        #expect(plan.isApplicable && plan.changes.count == 3)
        try harness.open([entity])
        #expect(try harness.strings(#"SELECT "name" FROM "USER""#) == ["NAME"])
        #expect(try harness.opener([entity]).plan().isEmpty)
    }

    @Test func `a dry run counts the rows of a table under its former name`() throws {
        let harness = try MigrationHarness()
        try harness.open([Made.user(table: "a")])
        try harness.execute(["INSERT INTO a (text) VALUES ('x'), ('y')"])
        let entities = [
            Made.user(table: "b", renamedFrom: ["a"]),
            EntitySchema(Tag.self, table: "a", id: Coding.of(Int64.self), columns: []),
        ]
        let tables = try harness.opener(entities).rehearse().tables.filter { $0.name.count == 1 }
        #expect(tables.map(\.name) == ["a", "b"])
        #expect(tables.map(\.rowsBefore) == [nil, 2])
        #expect(tables.map(\.rowsAfter) == [0, 2])
    }
}
