import Foundation
import SkiathosStore
import TestSupport
import Testing

@testable import SkiathosSQLite

private enum Mood: String, CaseIterable, Sendable { case calm, busy, wild }
private enum CalmMood: String, CaseIterable, Sendable { case calm, busy }
private enum OpenMood: String, Sendable { case calm, busy }
private enum Level: Int, CaseIterable, Sendable { case low = 1, high = 2 }

/// A type of a property, and which stored values it reads, in plain Swift.
private struct StoredType: Sendable, CustomTestStringConvertible {
    var name: String
    var column: @Sendable (_ name: String) -> ColumnSchema
    var reads: @Sendable (StoreValue) -> Bool
    var testDescription: String { name }

    init<C: ColumnCoding>(
        _ name: String, _ coding: C.Type, _ reads: @escaping @Sendable (StoreValue) -> Bool
    ) {
        self.name = name
        self.reads = reads
        column = { ColumnSchema($0, coding) }
    }

    static func integers(
        _ name: String, _ coding: any ColumnCoding.Type, _ range: ClosedRange<Int64>
    )
        -> StoredType
    {
        StoredType(name, coding) {
            if case .integer(let number) = $0 { range.contains(number) } else { false }
        }
    }

    static func texts(
        _ name: String, _ coding: any ColumnCoding.Type,
        _ reads: @escaping @Sendable (String) -> Bool
    ) -> StoredType {
        StoredType(name, coding) {
            if case .text(let text) = $0 { reads(text) } else { false }
        }
    }
}

/// Types that are stored alike, and values of them.
private struct Family: Sendable {
    var types: [StoredType]
    var values: [StoreValue]

    static let all = [
        Family(
            types: [
                .integers("Bool", Coding.of(Bool.self), 0...1),
                .integers("Int8", Coding.of(Int8.self), -128...127),
                .integers("UInt16", Coding.of(UInt16.self), 0...65_535),
                .integers("Int", Coding.of(Int.self), .min ... .max),
                .integers("Level", Coding.of(Level.self), 1...2),
            ], values: [0, 1, 2, 3, -1, 127, 128, 65_535, 65_536].map { .integer($0) }),
        Family(
            types: [
                .texts("String", Coding.of(String.self)) { _ in true },
                .texts("[String]", Coding.of([String].self)) { $0.hasPrefix("[") },
                .texts("Mood", Coding.of(Mood.self)) { ["calm", "busy", "wild"].contains($0) },
                .texts("CalmMood", Coding.of(CalmMood.self)) { ["calm", "busy"].contains($0) },
                .texts("OpenMood", Coding.of(OpenMood.self)) { ["calm", "busy"].contains($0) },
                .texts("Decimal", Coding.of(Decimal.self)) { $0 == "12.5" },
            ], values: ["calm", "wild", #"["a"]"#, "some words", "12.5"].map { .text($0) }),
        Family(
            types: [
                StoredType("Double", Coding.of(Double.self)) { _ in true },
                StoredType("Date", Coding.of(Date.self)) {
                    if case .real(let time) = $0 { abs(time) < 1e11 } else { false }
                },
            ], values: [0, -1.5, 1e12, 7.25e8].map { .real($0) }),
        Family(
            types: [
                StoredType("Data", Coding.of(Data.self)) { _ in true },
                StoredType("UUID", Coding.of(UUID.self)) {
                    if case .blob(let bytes) = $0 { bytes.count == 16 } else { false }
                },
            ], values: [.blob([]), .blob([1, 2]), .blob(Array(0..<16))]),
    ]
}

/// A property gets another type that is stored in the same way.
@Suite struct KindChangeTests {
    /// Kinds between which nothing is promised: the types do not list their values.
    private func isUnknown(_ old: StoredType, _ new: StoredType) -> Bool {
        old.name == new.name
    }

    @Test func `a store opens exactly if the present type reads every value`() throws {
        for family in Family.all {
            for old in family.types {
                for new in family.types where !isUnknown(old, new) {
                    for value in family.values where old.reads(value) {
                        try check(value, old, new)
                    }
                }
            }
        }
    }

    private func check(_ value: StoreValue, _ old: StoredType, _ new: StoredType) throws {
        let harness = try MigrationHarness()
        let place = "\(value): \(old.name) → \(new.name)"
        try harness.open([Made.user([old.column("a")])])
        try harness.execute([
            "INSERT INTO user (id, a) VALUES (7, \(value.sqlLiteral)), (8, \(value.sqlLiteral))"
        ])
        let entity = Made.user([new.column("a")])
        if new.reads(value) {
            for _ in 1...2 { try harness.open([entity]) }
            #expect(try harness.opener([entity]).plan().isEmpty, "\(place)")
            return
        }
        let bytes = try harness.directory.bytes()
        for isReadOnly in [false, true] {
            let opener = try harness.opener([entity], StoreOptions(isReadOnly: isReadOnly))
            let error = try storeError(.schemaMismatch) { _ = try opener.open() }
            #expect(error.message.contains("2 rows"), "\(place)")
            #expect(error.message.contains("IDs: 7, 8"), "\(place)")
            #expect(error.message.contains("'user.a' among its converts"), "\(place)")
        }
        #expect(try harness.directory.bytes() == bytes, "\(place)")
        #expect(try !harness.opener([entity]).plan().isApplicable, "\(place)")
    }

    @Test func `a step that gives every row a value of the new type is taken`() throws {
        let harness = try moods("wild", "calm")
        let step = StoreMigration("no wild ones", converts: ["user.a"]) {
            _ = try $0.execute("UPDATE user SET a = 'busy' WHERE a = 'wild'", [])
        }
        try harness.open([Made.user([ColumnSchema("a", Coding.of(CalmMood.self))])], [step])
        #expect(try harness.strings("SELECT a FROM user ORDER BY id") == ["busy", "calm"])
    }

    @Test func `a step about another column does not let unreadable values pass`() throws {
        let harness = try moods("wild", "calm")
        let entity = Made.user([
            Made.column("a", Coding.of(CalmMood.self), default: .text("calm")), Made.number,
        ])
        let bytes = try harness.directory.bytes()
        let steps = [
            StoreMigration("numbers") { _ = try $0.execute("UPDATE user SET number = 1", []) },
            StoreMigration("rows") { step in
                try step.transform(
                    from: nil, into: 0,
                    completing: { present in
                        TransformedRow(
                            present.map { $0 ?? .null }, changed: ColumnSet(),
                            defaulted: present[1] == .text("wild") ? [1] : ColumnSet())
                    }
                ) { _, present in
                    var values = present.map { $0 ?? .null }
                    let isUnreadable = values[1] == .text("wild")
                    if isUnreadable { values[1] = .text("calm") }
                    values[2] = .integer(2)
                    return TransformedRow(
                        values, changed: [2], defaulted: isUnreadable ? [1] : ColumnSet())
                }
            },
        ]
        for step in steps {
            let error = try storeError(.migrationFailed) { try harness.open([entity], [step]) }
            #expect(error.message.contains("1 rows of \"user\" (IDs: 1)"), "\(error.message)")
            #expect(try harness.directory.bytes() == bytes)
        }
    }

    @Test func `rows are read with progress, and only where a kind has changed`() throws {
        let harness = try MigrationHarness()
        try harness.open([Made.user([Made.text, Made.number])])
        try harness.execute([
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
            INSERT INTO user (id, text, number) SELECT i, 'calm', i FROM n
            """
        ])
        let log = ProgressLog()
        let entity = Made.user([ColumnSchema("text", Coding.of(Mood.self)), Made.number])
        let options = StoreOptions(migrationProgress: { log.note($0) })
        try harness.open(try harness.opener([entity], options))
        #expect(log.all.map(\.rowsDone) == [256, 512, 768, 1000])
        #expect(log.all.allSatisfy { $0.rowCount == 1000 && $0.step == #"reading "text""# })
        try harness.open(try harness.opener([entity], options))
        #expect(log.all.count == 4)
    }

    @Test func `a renamed column is read under its former name`() throws {
        let harness = try moods("wild", "calm")
        let entity = EntitySchema(
            User.self, table: "person", id: Coding.of(Int64.self),
            columns: [ColumnSchema("b", Coding.of(CalmMood.self), renamedFrom: ["a"])],
            renamedFrom: ["user"])
        let error = try storeError(.schemaMismatch) { try harness.open([entity]) }
        #expect(error.message.contains(#"1 rows of "person" (IDs: 1) hold a value of "b""#))
        try harness.execute(["DELETE FROM user WHERE id = 1"])
        try harness.open([entity])
    }

    @Test func `a backup with values that cannot be read is not restored`() throws {
        let harness = try moods("wild", "calm")
        let path = harness.directory.file()
        let store = try StoreOpener(
            schema: StoreSchema([Made.user([ColumnSchema("a", Coding.of(CalmMood.self))])]),
            options: StoreOptions(), file: nil
        ).open()
        let error = try storeError(.schemaMismatch) {
            try store.transaction { _ = try $0.restore(from: path) { _ in } }
        }
        #expect(error.message.contains("cannot be read"))
        try store.close()
    }

    private func moods(_ moods: String...) throws -> MigrationHarness {
        let harness = try MigrationHarness()
        try harness.open([Made.user([ColumnSchema("a", Coding.of(Mood.self))])])
        try harness.execute(moods.map { "INSERT INTO user (a) VALUES ('\($0)')" })
        return harness
    }
}
