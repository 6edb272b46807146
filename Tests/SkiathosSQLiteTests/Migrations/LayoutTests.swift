import Foundation
import GRDB
import SkiathosStore
import Testing

@testable import SkiathosSQLite

private enum Mood: String, CaseIterable, Sendable { case calm, busy }
private enum LaterMood: String, CaseIterable, Sendable { case calm, busy, wild }

private struct Address: Embedded {
    var city = ""
    static let fields = [EmbeddedField(\Address.city, CodingKeys.city)]
}

private struct LaterAddress: Embedded {
    var city = ""
    var zip: String?
    static let fields = [
        EmbeddedField(\LaterAddress.city, CodingKeys.city),
        EmbeddedField(\LaterAddress.zip, CodingKeys.zip),
    ]
}

/// The layouts that a store keeps, and by which programs of other versions are recognised.
@Suite struct LayoutTests {
    /// A difference between two versions of an entity.
    struct Difference: Sendable, CustomTestStringConvertible {
        var name: String
        var older: @Sendable () -> [EntitySchema]
        var newer: @Sendable () -> [EntitySchema]
        var testDescription: String { name }

        init(
            _ name: String, _ older: @escaping @Sendable () -> EntitySchema,
            _ newer: @escaping @Sendable () -> EntitySchema
        ) {
            self.name = name
            self.older = { [older(), Made.company()] }
            self.newer = { [newer(), Made.company()] }
        }
    }

    private static func column<C: ColumnCoding>(_ coding: C.Type) -> EntitySchema {
        Made.user([ColumnSchema("a", coding)])
    }

    private static func company(_ rule: ColumnSchema.DeleteRule) -> EntitySchema {
        Made.user([Made.column("a", Coding.of(Reference<Company>?.self), onDelete: rule)])
    }

    private static let promises: [Difference] = [
        Difference("unique", { Made.user() }, { Made.user(unique: [["text"]]) }),
        Difference(
            "unique together", { Made.user([Made.text, Made.number]) },
            { Made.user([Made.text, Made.number], unique: [["text", "number"]]) }),
        Difference("search", { Made.user() }, { Made.user(searchable: ["text"]) }),
        Difference("optional", { Made.user() }, { Made.user([Made.optionalText]) }),
        Difference("required", { Made.user([Made.optionalText]) }, { Made.user() }),
        Difference("a delete rule", { company(.nullify) }, { company(.cascade) }),
        Difference("a reference", { column(Coding.of(Int64?.self)) }, { company(.nullify) }),
        Difference("a column", { Made.user() }, { Made.user([Made.text, Made.number]) }),
        Difference("a range", { column(Coding.of(Int8.self)) }, { column(Coding.of(Int.self)) }),
        Difference(
            "a case", { column(Coding.of(Mood.self)) }, { column(Coding.of(LaterMood.self)) }),
        Difference(
            "an enumeration", { column(Coding.of(Mood.self)) }, { column(Coding.of(String.self)) }),
        Difference("a date", { column(Coding.of(Double.self)) }, { column(Coding.of(Date.self)) }),
        Difference(
            "fields", { column(Coding.of(Address.self)) }, { column(Coding.of(LaterAddress.self)) }),
    ]

    @Test(arguments: promises)
    func `an older program leaves the file of a newer one as it is`(_ difference: Difference) throws
    {
        let harness = try MigrationHarness()
        try harness.open(difference.older())
        try harness.open(difference.newer())
        let bytes = try harness.directory.bytes()
        for isReadOnly in [false, true] {
            let options = StoreOptions(isReadOnly: isReadOnly)
            _ = try storeError(.newerStore) {
                _ = try harness.opener(difference.older(), options).open()
            }
        }
        #expect(try harness.opener(difference.older()).plan().isNewerStore)
        #expect(try harness.directory.bytes() == bytes)
        try harness.open(difference.newer())
        // Going back on purpose takes a step.
        let back = StoreMigration("back", drops: ["user.number"])
        try harness.open(difference.older(), [back])
        try harness.open(difference.older(), [back])
        _ = try storeError(.newerStore) { try harness.open(difference.newer(), [back]) }
    }

    @Test func `an older program leaves an index of a newer one, and works`() throws {
        let harness = try MigrationHarness()
        let (older, newer) = ([Made.user()], [Made.user(indexed: ["text"])])
        try harness.open(older)
        try harness.open(newer)
        let dump = try harness.dump()
        for _ in 1...2 {
            try harness.open(older)
            #expect(try harness.dump() == dump)
            let store = try harness.opener(older, StoreOptions(isReadOnly: true)).open()
            try store.close()
        }
        try harness.open(newer)
        #expect(try harness.dump() == dump)
    }

    @Test func `an index that a new version takes away is dropped`() throws {
        let harness = try MigrationHarness()
        try harness.open([Made.user(indexed: ["text"])])
        try harness.open([Made.user()])
        #expect(try harness.strings("SELECT name FROM sqlite_schema WHERE type = 'index'") == [])
    }

    @Test func `the name of a type is not part of a layout`() throws {
        let harness = try MigrationHarness()
        try harness.open([Self.column(Coding.of(Mood.self))])
        let dump = try harness.dump()
        let entity = EntitySchema(
            Tag.self, table: "user", id: Coding.of(Int64.self),
            columns: [ColumnSchema("a", Coding.of(RenamedMood.self))])
        #expect(try harness.opener([entity]).plan().isEmpty)
        try harness.open([entity])
        #expect(try harness.dump() == dump)
    }

    private enum RenamedMood: String, CaseIterable, Sendable { case busy, calm }

    @Test func `a layout is JSON that people can read`() throws {
        let harness = try MigrationHarness()
        let columns: [ColumnSchema] = [
            Made.column("flag", Coding.of(Bool.self), default: .integer(1)),
            Made.column("mood", Coding.of(Mood.self), default: .text("calm")),
            ColumnSchema("address", Coding.of(LaterAddress?.self)),
            ColumnSchema("company", Coding.of(Reference<Company>?.self), renamedFrom: ["firm"]),
            ColumnSchema("list", Coding.of([Int].self)),
            ColumnSchema("level", Coding.of(Int8.self)),
            ColumnSchema("bytes", Coding.of(Bytes.self)),
        ]
        try harness.open([
            Made.user(columns, unique: [["mood", "level"]], indexed: ["flag"]),
            Made.company(),
        ])
        let layouts = try harness.strings("SELECT layout FROM skiathos_layout")
        #expect(layouts.count == 1)
        #expect(StoreLayout(text: layouts[0]) != nil)
        #expect(
            layouts[0] == """
                {"entities":[{"name":"company","properties":[\
                {"name":"id","type":{"kind":"integer","range":[-9223372036854775808,9223372036854775807]}},\
                {"name":"text","type":{"kind":"text"}}]},\
                {"name":"user","properties":[\
                {"name":"id","type":{"kind":"integer","range":[-9223372036854775808,9223372036854775807]}},\
                {"default":1,"indexed":true,"name":"flag","type":{"kind":"bool"}},\
                {"default":"calm","name":"mood","type":{"kind":"text","raw":true,"values":["busy","calm"]}},\
                {"name":"address","optional":true,"type":{"fields":[{"kind":"text","name":"city"},\
                {"kind":"text","name":"zip","optional":true}],"kind":"json"}},\
                {"formerly":["firm"],"name":"company","onDelete":"nullify","optional":true,\
                "references":"company","type":{"kind":"ownInteger"}},\
                {"name":"list","type":{"kind":"json"}},\
                {"name":"level","type":{"kind":"integer","range":[-128,127]}},\
                {"name":"bytes","type":{"kind":"ownData"}}],\
                "unique":[["mood","level"]]}]}
                """)
    }

    // MARK: Files of layout version 1

    /// Gives a store the form that older versions of the package have written.
    private func downgrade(_ harness: MigrationHarness, _ entities: [EntitySchema]) throws {
        let tables = TableLayout.entities(of: try StoreSchema(entities))
        try harness.execute([
            "ALTER TABLE skiathos_layout DROP COLUMN layout",
            "UPDATE skiathos_layout SET fingerprint = '\(TableLayout.fingerprint(of: tables))'",
            "PRAGMA user_version = 1",
        ])
    }

    @Test func `a file of layout version 1 is recognised, and gets its layout when it is written`()
        throws
    {
        let harness = try MigrationHarness()
        let entities = [Made.user([Made.text, Made.number])]
        try harness.open(entities)
        try downgrade(harness, entities)
        let bytes = try harness.directory.bytes()
        try harness.opener(entities, StoreOptions(isReadOnly: true)).open().close()
        #expect(try harness.opener(entities).plan().isEmpty)
        #expect(try harness.directory.bytes() == bytes)
        for _ in 1...2 {
            try harness.open(entities)
            #expect(
                try harness.strings("SELECT user_version & 255 FROM pragma_user_version") == ["2"])
            let layouts = try harness.strings("SELECT layout FROM skiathos_layout")
            #expect(layouts.count == 1)
            #expect(StoreLayout(text: layouts[0])?.entities.count == 1)
        }
        // The next version promises more.
        let newer = [Made.user([Made.text, Made.number], unique: [["text"]])]
        try harness.open(newer)
        _ = try storeError(.newerStore) { try harness.open(entities) }
        try harness.open(newer)
    }

    @Test func `a file of layout version 1 is migrated at once`() throws {
        let harness = try MigrationHarness()
        try harness.open([Made.user()])
        try downgrade(harness, [Made.user()])
        let newer = [Made.user([Made.text, Made.number], unique: [["text"]])]
        try harness.open(newer)
        #expect(try harness.opener(newer).plan().isEmpty)
        _ = try storeError(.newerStore) { try harness.open([Made.user()]) }
    }

    @Test func `a layout that another program has changed is taken for an unknown one`() throws {
        let harness = try MigrationHarness()
        try harness.open([Made.user()])
        for text in ["{", "", #"{"entities":[{"name":7}]}"#, "null"] {
            try harness.execute(["UPDATE skiathos_layout SET layout = '\(text)'"])
            try harness.open([Made.user()])
        }
    }
}
