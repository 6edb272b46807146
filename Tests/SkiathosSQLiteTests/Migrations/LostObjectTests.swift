import Foundation
import GRDB
import SkiathosStore
import Testing

@testable import SkiathosSQLite

/// Tables and columns that another program has removed, and damage before a migration.
@Suite struct LostObjectTests {
    private static let entities = [Made.user([Made.text, Made.number]), Made.company()]

    private static func filled() throws -> MigrationHarness {
        let harness = try MigrationHarness()
        try harness.open(entities)
        try harness.execute([
            #"INSERT INTO "user" ("id", "text", "number") VALUES (1, 'a', 1), (2, 'b', 2)"#,
            #"INSERT INTO "company" ("id", "text") VALUES (1, 'c')"#,
        ])
        return harness
    }

    @Test(arguments: [
        (#"DROP TABLE "company""#, #"The table "company" is missing"#, "company"),
        (#"DROP TABLE "user""#, #"The table "user" is missing"#, "user"),
        (
            #"ALTER TABLE "user" DROP COLUMN "number""#,
            #"The column "user"."number" is missing"#, "user.number"
        ),
    ])
    func `a removed table or column does not come back empty without a step that says so`(
        _ removal: String, _ reason: String, _ name: String
    ) throws {
        let harness = try Self.filled()
        try harness.execute([removal])
        let before = try harness.directory.bytes()
        for isReadOnly in [false, true] {
            let error = try storeError(.schemaMismatch) {
                try harness.touch(
                    harness.opener(Self.entities, StoreOptions(isReadOnly: isReadOnly)))
            }
            #expect(error.message.contains(reason))
        }
        #expect(try harness.directory.bytes() == before)
        try harness.open(Self.entities, [StoreMigration("removed", drops: [name]) { _ in }])
        try harness.open(Self.entities, [StoreMigration("removed", drops: [name]) { _ in }])
    }

    @Test func `a migration finds the damage of a table before it is rebuilt`() throws {
        let harness = try MigrationHarness()
        try harness.open(Self.entities)
        let text = String(repeating: "x", count: 300)
        try harness.execute([
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
            INSERT INTO "user" ("id", "text", "number") SELECT i, '\(text)', i FROM n
            """
        ])
        // A row of a leaf is there twice, in the place of another one, which no query takes ill.
        var bytes = try harness.directory.bytes()
        let size = 4096
        let leaf = try #require(
            (3..<bytes.count / size).last { bytes[$0 * size] == 0x0D && bytes[$0 * size + 4] > 5 })
        let cells = leaf * size + 8
        bytes.replaceSubrange(cells..<cells + 2, with: Array(bytes[cells + 2..<cells + 4]))
        try harness.directory.write(bytes)
        let changed = [
            Made.user([Made.text, ColumnSchema("number", Coding.of(String?.self))]),
            Made.company(),
        ]
        let reports = Reports()
        let options = StoreOptions(
            migrations: [StoreMigration("to texts", converts: ["user.number"]) { _ in }],
            migrationProgress: { reports.note($0) })
        let error = try storeError(.damaged) {
            try harness.touch(harness.opener(changed, options))
        }
        #expect(error.message.contains(#"The table "user" is to be changed, and is not sound"#))
        #expect(reports.all.contains { $0.step == "checking" && $0.table == "user" })
        #expect(try harness.directory.bytes() == bytes)
    }

    @Test(
        arguments: [
            (["ok"], nil), (["unable to get the page. error code=266"], 266),
            (["Tree 4 page 5: btreeInitPage() returns error code 11"], nil),
            (["Tree 4 page 7 cell 0: unable to get the page. error code=11"], nil),
            (["a", "Tree 2: unable to get the page. error code=10"], 10),
        ] as [([String], Int32?)])
    func `a check tells a failed read from damage`(_ rows: [String], _ code: Int32?) {
        #expect(FileCheck.readError(rows) == code)
    }
}

private final class Reports: @unchecked Sendable {
    // Sendable: the migration reports on the thread of the test, which blocks meanwhile.
    private(set) var all: [MigrationProgress] = []

    func note(_ progress: MigrationProgress) { all.append(progress) }
}
