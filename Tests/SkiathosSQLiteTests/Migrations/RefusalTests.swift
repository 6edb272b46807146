import Foundation
import SkiathosStore
import Testing

@testable import SkiathosSQLite

/// Changes that are refused: the file stays as it is, byte for byte.
@Suite struct RefusalTests {
    private static let company = Made.column("company", Coding.of(Reference<Company>.self))

    /// What a store is opened with, and what the refusal says.
    private static let cases: [(entities: [EntitySchema], reason: String)] = [
        ([Made.user()], #"table "company" that no entity has"#),
        (
            [Made.user([Made.number]), Made.company()],
            #"column "user"."text" that the entity lacks"#
        ),
        (
            [Made.user([ColumnSchema("text", Coding.of(Int.self)), Made.number]), Made.company()],
            "changes from TEXT NOT NULL to INTEGER NOT NULL"
        ),
        (
            [
                EntitySchema(
                    User.self, table: "user", id: Coding.of(String.self),
                    columns: [Made.text, Made.number]), Made.company(),
            ], "The ID of \"user\" changes"
        ),
        (
            [Made.user([Made.text, Made.number], unique: [["text"]]), Made.company()],
            #"2 values of "text" that more than one row has"#
        ),
        (
            [Made.user([Made.text, ColumnSchema("number", Coding.of(Int.self))]), Made.company()],
            #"3 rows of "user" have no "number""#
        ),
        (
            [
                Made.user([Made.text, Made.number, ColumnSchema("new", Coding.of(Int.self))]),
                Made.company(),
            ], #"5 rows of "user" would have no "new""#
        ),
        (
            [
                Made.user([
                    Made.text, Made.number,
                    Made.column("company", Coding.of(Reference<Company>.self), default: 0),
                ]), Made.company(),
            ], #"5 rows of "user" would refer through "company""#
        ),
        (
            [
                Made.user([Made.text, ColumnSchema("number", Coding.of(Reference<Company>?.self))]),
                Made.company(),
            ], #"1 rows of "user" would refer through "number""#
        ),
        (
            [Made.user([Made.text, Made.number], table: "User"), Made.company()],
            "only by upper and lower case"
        ),
        (
            [
                Made.user([ColumnSchema("Text", Coding.of(String.self)), Made.number]),
                Made.company(),
            ], "only by upper and lower case"
        ),
    ]

    private func base() throws -> MigrationHarness {
        let harness = try MigrationHarness()
        try harness.open([Made.user([Made.text, Made.number]), Made.company()])
        try harness.execute([
            "INSERT INTO company VALUES (1, 'a')",
            """
            INSERT INTO user VALUES
            (1, 'secret', 1), (2, 'secret', 7), (3, 'other', NULL), (4, 'other', NULL),
            (5, 'c', NULL)
            """,
        ])
        return harness
    }

    private func files(_ harness: MigrationHarness) throws -> [String: Data] {
        let path = harness.directory.path
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        return try Dictionary(
            uniqueKeysWithValues: names.filter { !$0.hasSuffix(".lock") }.map {
                ($0, try harness.directory.bytes($0))
                // A connection that only reads leaves an empty WAL and its index behind.
            }.filter { !$0.0.hasSuffix("-shm") && !($0.0.hasSuffix("-wal") && $0.1.isEmpty) })
    }

    @Test(arguments: cases.indices)
    func `a change that could lose data or does not fit is refused with a plan`(number: Int) throws
    {
        let (entities, reason) = Self.cases[number]
        let harness = try base()
        let before = try files(harness)
        for isReadOnly in [false, true] {
            let error = try storeError(.schemaMismatch) {
                let options = StoreOptions(isReadOnly: isReadOnly)
                _ = try harness.opener(entities, options).open()
            }
            #expect(error.message.contains(reason), "\(error.message)")
            #expect(!error.message.contains("secret"))
        }
        let plan = try harness.opener(entities).plan()
        #expect(!plan.isApplicable)
        #expect(plan.description.contains(reason))
        #expect(try files(harness) == before)
        let rehearsal = try harness.opener(entities).rehearse()
        #expect(rehearsal.failure?.code == .schemaMismatch)
        #expect(!rehearsal.isSuccess)
        #expect(try files(harness) == before)
    }

    @Test func `a file with a WAL is refused without touching either`() throws {
        let harness = try base()
        let keeper = try harness.opener([Made.user([Made.text, Made.number]), Made.company()])
            .open()
        try keeper.insert(Company.self, [2, "b"])
        let copy = try MigrationHarness()
        for (name, bytes) in try files(harness) {
            try copy.directory.write(bytes, name)
        }
        try keeper.close()
        let before = try files(copy)
        #expect(before["store.sqlite-wal"]?.isEmpty == false)
        _ = try storeError(.schemaMismatch) { _ = try copy.opener([Made.user()]).open() }
        let after = try files(copy)
        for name in before.keys { #expect(after[name] == before[name], "\(name)") }
    }

    @Test func `reading alone needs no change, and makes none`() throws {
        let harness = try base()
        let before = try harness.directory.bytes()
        let entities = [Made.user([Made.text, Made.number], indexed: ["number"]), Made.company()]
        let error = try storeError(.schemaMismatch) {
            _ = try harness.opener(entities, StoreOptions(isReadOnly: true)).open()
        }
        #expect(error.message.contains("read-only"))
        #expect(error.message.contains(#"add an index on "number""#))
        #expect(try harness.directory.bytes() == before)
        try harness.execute(["DROP TABLE skiathos_layout", "DROP TABLE skiathos_migration"])
        let same = [Made.user([Made.text, Made.number]), Made.company()]
        try harness.open(harness.opener(same, StoreOptions(isReadOnly: true)))
        let step = StoreMigration("to be run")
        let pending = try storeError(.schemaMismatch) {
            let options = StoreOptions(isReadOnly: true, migrations: [step])
            _ = try harness.opener(same, options).open()
        }
        #expect(pending.message.contains("to be run"))
    }

    @Test func `a table of the store's own in another form is refused`() throws {
        let harness = try base()
        try harness.execute(["ALTER TABLE skiathos_migration ADD COLUMN more TEXT"])
        let error = try storeError(.schemaMismatch) {
            _ = try harness.opener([Made.user([Made.text, Made.number]), Made.company()]).open()
        }
        #expect(error.message.contains("skiathos_migration"))
    }
}
