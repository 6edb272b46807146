import SkiathosStore
import Testing

@testable import SkiathosSQLite

private enum Mood: String, CaseIterable, Sendable { case calm, busy }
private enum LaterMood: String, CaseIterable, Sendable { case calm, busy, wild }

/// A store that is open for reading only while another process migrates the file.
@Suite struct MigratedWhileReadTests {
    /// A change that another process makes.
    struct Change: Sendable, CustomTestStringConvertible {
        var name: String
        /// The text that the error has; `nil` if the store goes on.
        var gone: String?
        /// The versions of the entity that are opened one after the other.
        var versions: [@Sendable () -> EntitySchema]
        var steps: [StoreMigration] = []
        var statements: [String] = []
        var testDescription: String { name }

        init(
            _ name: String, _ gone: String? = nil, _ versions: @Sendable () -> EntitySchema...,
            steps: [StoreMigration] = [], statements: [String] = []
        ) {
            (self.name, self.gone, self.versions) = (name, gone, versions)
            (self.steps, self.statements) = (steps, statements)
        }
    }

    private static func user(
        _ columns: ColumnSchema..., table: String = "user", unique: [[String]] = [],
        indexed: [String] = [], was: [String] = []
    ) -> EntitySchema {
        Made.user(columns, table: table, unique: unique, indexed: indexed, renamedFrom: was)
    }

    private static func text(_ name: String, was: String...) -> ColumnSchema {
        Made.column(name, Coding.of(String?.self), default: .text(""), renamedFrom: was)
    }

    private static let level = ColumnSchema("level", Coding.of(Int.self))
    private static let mood = Made.column("mood", Coding.of(Mood.self), default: .text("calm"))

    private static let changes: [Change] = [
        Change("a new column", nil, { user(text("a"), level, mood, text("b")) }),
        Change("an index", nil, { user(text("a"), level, mood, indexed: ["a"]) }),
        Change("a unique column", nil, { user(text("a"), level, mood, unique: [["a"]]) }),
        Change(
            "a narrower type", nil,
            { user(text("a"), ColumnSchema("level", Coding.of(Int8.self)), mood) }),
        Change(
            "a required column", nil,
            { user(ColumnSchema("a", Coding.of(String.self)), level, mood) }),
        Change(
            "a renamed column", #"the column "user"."a" is called "b""#,
            { user(text("b", was: "a"), level, mood) }),
        Change(
            "a new column under the name of a renamed one", #"the column "user"."a" is called "b""#,
            { user(text("a"), text("b", was: "a"), level, mood) }),
        Change(
            "a rename that a later version does not mention", #""user"."a" is called "b""#,
            { user(text("b", was: "a"), level, mood) }, { user(text("a"), text("b"), level, mood) }),
        Change(
            "a renamed table", #"the table "user" is called "person""#,
            { user(text("a"), level, mood, table: "person", was: ["user"]) }),
        Change(
            "a dropped column", #"the column "user"."a" is not there"#, { user(level, mood) },
            steps: [StoreMigration("drop", drops: ["user.a"])]),
        Change(
            "a converted column", #"the column "user"."a" holds values of another kind"#,
            { user(ColumnSchema("a", Coding.of(Int?.self)), level, mood) },
            steps: [
                StoreMigration("convert", converts: ["user.a"]) {
                    _ = try $0.execute(#"UPDATE user SET skiathos_new_a = length("a")"#, [])
                }
            ]),
        Change(
            "an enumeration with a new case", #"the column "user"."mood" holds values of another"#,
            {
                user(
                    text("a"), level,
                    Made.column("mood", Coding.of(LaterMood.self), default: .text("calm")))
            }),
        Change(
            "an optional column", #"the column "user"."level" holds values of another kind"#,
            { user(text("a"), ColumnSchema("level", Coding.of(Int?.self)), mood) }),
        Change(
            "a column that another program drops", #"the column "user"."a" is not there"#,
            statements: ["ALTER TABLE user DROP COLUMN a"]),
        Change(
            "a table that another program drops", #"the table "user" is not there"#,
            statements: ["DROP TABLE user"]),
        Change("a table that another program adds", nil, statements: ["CREATE TABLE other (a)"]),
    ]

    @Test(arguments: changes)
    func `a store goes on, or says once and for all that the file is of a newer version`(
        _ change: Change
    ) throws {
        let harness = try MigrationHarness()
        let entity = Self.user(Self.text("a"), Self.level, Self.mood)
        try harness.open([entity])
        try harness.execute(["INSERT INTO user (a, level, mood) VALUES ('x', 7, 'busy')"])
        let reader = try harness.opener([entity], StoreOptions(readerCount: 2, isReadOnly: true))
            .open()
        let row: [StoreValue] = [1, "x", 7, "busy"]
        #expect(try reader.all(User.self) == [row])
        for version in change.versions { try harness.open([version()], change.steps) }
        try harness.execute(change.statements)
        for _ in 1...2 {
            for connection in reader.readers {
                let rows = Result<Void, any Error> {
                    try connection.read { session in
                        let columns = reader.schema.entities[0].columns
                        let found = try collect(columns) {
                            try session.fetch(FetchRequest(entity: 0), $0)
                        }
                        #expect(found == [row])
                    }
                }
                guard let gone = change.gone else {
                    try rows.get()
                    continue
                }
                let error = try storeError(.newerStore) { try rows.get() }
                #expect(error.message.contains(gone), "\(error.message)")
                #expect(error.message.contains("open it with that version"))
            }
        }
        try reader.close()
    }
}
